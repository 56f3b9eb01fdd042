import { expect, test } from 'vitest';
import { defaultParameters } from '../../src/rules/parameters.ts';
import { alertRules } from '../../src/rules/render-rules.ts';
import { ruleSetNames } from '../../src/rules/rule-sets.ts';
import { extent } from '../support/extent.ts';
import { describeWith, promtools, shareOf } from '../support/promtools.ts';
import { ruleCase } from './alert-case.ts';
import { checkCases, quietCheckCases } from './check-cases.ts';
import { otherCases, quietOtherCases } from './other-cases.ts';
import { testCases } from './promtool-rules.ts';

const firing = [...checkCases, ...otherCases];
const quiet = [...quietCheckCases, ...quietOtherCases];
const all = [...firing, ...quiet].map(ruleCase);
const tools = promtools();
const rules = alertRules({ ...defaultParameters, with: ruleSetNames });

describeWith(tools)('by promtool $version', ({ path }) => {
  const cases = extent(shareOf(all, path, tools), all);
  testCases(path, cases);
});

test.each([
  ['fires', firing],
  ['does not fire', quiet],
])('for each alert there is a case in which it %s', (_, tried) => {
  const names = new Set(tried.map(({ alert }) => alert));
  expect(rules.map(({ alert }) => alert).filter((name) => !names.has(name))).toEqual([]);
});

test('each alert that waits is seen to wait', () => {
  const waiting = new Set(rules.filter((rule) => rule.for !== undefined).map(({ alert }) => alert));
  for (const { alert, notYet, when } of firing) {
    if (waiting.has(alert)) expect(notYet, `${alert} when ${when}`).toBeDefined();
  }
});
