import { beforeAll, expect, test } from 'vitest';
import { describeWith, promtools } from '../support/promtools.ts';
import { ruleCase } from './alert-case.ts';
import { checkCases, quietCheckCases } from './check-cases.ts';
import { otherCases, quietOtherCases } from './other-cases.ts';
import { runCases } from './promtool-rules.ts';

const cases = [...checkCases, ...otherCases, ...quietCheckCases, ...quietOtherCases].map(ruleCase);

/** `npm test` queries only the last one. */
describeWith(promtools().slice(0, -1))('by promtool $version', ({ path }) => {
  let outcomes: ReadonlyMap<string, string | undefined> = new Map();
  beforeAll(async () => {
    outcomes = await runCases(path, cases);
  });

  test.each(cases)('$name', ({ name }) => {
    expect(outcomes.has(name)).toBe(true);
    expect(outcomes.get(name)).toBeUndefined();
  });
});
