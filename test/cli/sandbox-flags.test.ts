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
  ['gremlin', /unknown fault "gremlin"; --help lists them/],
  ['html@list_checks', /unknown operation "list_checks"; allowed: checks, check\.create, /],
  ['html@', /unknown operation ""; allowed: checks, /],
  ['html@checks@credits', /unknown operation "checks@credits"; allowed: checks, /],
])('--fault=%s is refused with what there is', (fault, reason) => {
  expect(() => parsed(`--fault=${fault}`)).toThrow(reason);
});
