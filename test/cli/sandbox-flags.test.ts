import { Command } from 'commander';
import { expect, test } from 'vitest';
import { withSandboxFlags } from '../../src/cli/sandbox-flags.ts';

function parsed(...flags: readonly string[]): Record<string, unknown> {
  const command = withSandboxFlags(new Command('sandbox'))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return command.parse(flags, { from: 'user' }).opts();
}

test('--fault names a kind, and the operation it is for or none', () => {
  expect(parsed('--fault=html@checks', '--fault=hang').fault).toEqual([
    { kind: 'html', operation: 'checks' },
    { kind: 'hang' },
  ]);
});

test.each([
  ['gremlin', /The faults are listed below --help\./],
  ['html@list_checks', /There is no operation "list_checks"; there are: checks, check\.create, /],
  ['html@', /There is no operation ""; there are: checks, /],
  ['html@checks@credits', /There is no operation "checks@credits"; there are: checks, /],
])('--fault=%s is refused with what there is', (fault, reason) => {
  expect(() => parsed(`--fault=${fault}`)).toThrow(reason);
});
