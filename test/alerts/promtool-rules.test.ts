import { expect, test } from 'vitest';
import { describeWith, promtools } from '../support/promtools.ts';
import { type RuleCase, runCases } from './promtool-rules.ts';

/** The expected value of `vector(1)` at each of these minutes. */
const expecting = (name: string, ...values: readonly number[]): RuleCase => ({
  name,
  input: { up: '1x10' },
  expressions: values.map((value, minute) => ({
    expr: 'vector(1)',
    at: `${minute}m`,
    samples: [{ labels: '{}', value }],
  })),
});

describeWith(promtools())('by promtool $version', ({ path }) => {
  test('each case has its own outcome, however many of its expectations fail', async () => {
    const outcomes = await runCases(path, [
      expecting('holds', 1),
      expecting('fails three times', 2, 3, 4),
      expecting('holds again', 1, 1),
      expecting('fails twice', 5, 6),
      expecting('fails once', 7),
      expecting('holds at last', 1),
    ]);
    const failed = [...outcomes].filter(([, outcome]) => outcome !== undefined);
    expect(failed.map(([name]) => name)).toEqual([
      'fails three times',
      'fails twice',
      'fails once',
    ]);
    expect(outcomes.get('fails once')).toContain('7E+00');
  });
});
