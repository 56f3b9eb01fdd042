import { describe, expect, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { blindScenarios, outageScenarios, restartScenario } from './chain-scenarios.ts';
import { documentedMessages, runScenarios, type ScenarioResult } from './run-chain.ts';

const sideBySide = [...blindScenarios, ...outageScenarios];
const documented = documentedMessages();
const divisor = 20;

describe.skipIf(missing('prometheus') || missing('alertmanager'))('what arrives when', () => {
  const results: ScenarioResult[] = [];

  test.each([
    ['all of it happens side by side', sideBySide],
    ['the servers are restarted', [restartScenario]],
  ])('%s', { timeout: 1_800_000 }, async (_, scenarios) => {
    results.push(...(await runScenarios(scenarios, divisor)));
    if (process.env.UPTIME_TEST_STORY === undefined) return;
    for (const { name, story } of results) process.stdout.write(`## ${name}\n${story}\n\n`);
  });

  test.each([...sideBySide, restartScenario])('$name', ({ name, mayAlso = [] }) => {
    const result = results.find((one) => one.name === name);
    expect(documented.has(name), 'a row in docs/alerting.md').toBe(true);
    expect(result, 'it has happened').toBeDefined();
    const expected = documented.get(name) ?? [];
    const arrived = [...(result?.messages ?? [])].sort();
    const isMore = arrived.length > expected.length;
    expect(arrived, result?.story).toEqual([...expected, ...(isMore ? mayAlso : [])].sort());
  });
});
