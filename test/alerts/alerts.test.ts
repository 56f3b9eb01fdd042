import { describe, expect, test } from 'vitest';
import { alertRules } from '../../alerts/source/rule-groups.ts';
import { missing } from '../support/tools.ts';
import { timeline } from './alert-case.ts';
import { checkCases, quietCheckCases } from './check-cases.ts';
import { otherCases, quietOtherCases } from './other-cases.ts';
import { testAlert, testExpressions } from './promtool-rules.ts';
import { quietSloCases, sloRecordings, sloTimelines } from './slo-cases.ts';

const timelines = [...sloTimelines, ...[...checkCases, ...otherCases].map(timeline)];
const quietCases = [...quietSloCases, ...quietCheckCases, ...quietOtherCases];

describe.skipIf(missing('promtool'))('by promtool', () => {
  test.concurrent.each(timelines)(
    '$alert fires in time and resolves when $when',
    ({ alert, input, expected }) => testAlert(alert, input, expected),
  );

  test.concurrent.each(sloRecordings)('the error budget is right when $when', (one) =>
    testExpressions(one.input, one.expressions),
  );

  test.concurrent.each(quietCases)('$alert does not fire when $when', ({ alert, input, at }) =>
    testAlert(alert, input, Object.fromEntries(at.map((time) => [time, []]))),
  );
});

test.each([
  ['fires', timelines],
  ['does not fire', quietCases],
])('for each alert there is a case in which it %s', (_, tried) => {
  const names = new Set(tried.map(({ alert }) => alert));
  expect(alertRules.map(({ alert }) => alert).filter((name) => !names.has(name))).toEqual([]);
});

test('each alert is seen to resolve, and one that waits to wait', () => {
  const waits = new Set(
    alertRules.filter((rule) => rule.for !== undefined).map((rule) => rule.alert),
  );
  for (const { alert, expected } of timelines) {
    const fired = Object.values(expected);
    expect(fired.at(-1), alert).toEqual([]);
    if (waits.has(alert)) expect(fired.at(0), alert).toEqual([]);
  }
});
