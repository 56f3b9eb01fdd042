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
  expect(parsed('--fault=html@list_checks', '--fault=hang').fault).toEqual([
    { kind: 'html', operation: 'list_checks' },
    { kind: 'hang' },
  ]);
});

test.each([
  ['gremlin', /unknown fault "gremlin"; --help lists them/],
  [
    'html@list_cheques',
    /unknown operation "list_cheques"; did you mean "list_checks"\? allowed: list_checks, /,
  ],
  ['html@', /unknown operation ""; allowed: list_checks, /],
  ['html@checks@credits', /unknown operation "checks@credits"; allowed: list_checks, /],
])('--fault=%s is refused with what there is', (fault, reason) => {
  expect(() => parsed(`--fault=${fault}`)).toThrow(reason);
});

test.each(['0', '-1', '', ' ', 'Infinity', 'fast'])('--time-scale=%j is refused', (factor) => {
  expect(() => parsed(`--time-scale=${factor}`)).toThrow('must be a number above 0');
});

test('--time-scale may be a fraction', () => {
  expect(parsed('--time-scale=0.5').timeScale).toBe(0.5);
});

test.each(['Faults', 'Quirks', 'Wire'])(
  'the help has a column of the descriptions of %s',
  (title) => {
    let help = '';
    withSandboxFlags(new Command('sandbox'))
      .configureOutput({ writeOut: (text) => (help += text) })
      .outputHelp();
    const [, list = ''] = new RegExp(`^${title}:\n((?:  .*\n)+)`, 'm').exec(`${help}\n`) ?? [];
    const begins = list.match(/^ +\S+ +/gm)?.map((begin) => begin.length) ?? [];

    expect(begins.length).toBeGreaterThan(2);
    expect(new Set(begins).size).toBe(1);
  },
);
