import { describe, expect, test } from 'vitest';
import { type ChainServers, debianServers } from '../support/alert-chain.ts';
import { missing } from '../support/tools.ts';
import {
  blindScenarios,
  type ChainScenario,
  newerScenarios,
  outageScenarios,
  restartScenario,
} from './chain-scenarios.ts';
import { documentedMessages, merged, runScenarios, type ScenarioResult } from './run-chain.ts';

const newer: ChainServers = { prometheus: 'prometheus-3', alertmanager: 'alertmanager-0.31' };
const runs: readonly [string, ChainServers, readonly ChainScenario[]][] = [
  ['all of it side by side', debianServers, [...blindScenarios, ...outageScenarios]],
  ['restarts of the servers', debianServers, [restartScenario]],
  ['newer servers', newer, newerScenarios],
];
const documented = documentedMessages();
const divisor = 20;

describe.each(runs)('what arrives: %s', (_, servers, scenarios) => {
  const isMissing = missing(servers.prometheus) || missing(servers.alertmanager);
  const results: ScenarioResult[] = [];

  test.skipIf(isMissing)('it happens', { timeout: 1_800_000 }, async () => {
    results.push(...(await runScenarios(scenarios, { divisor, servers })));
    if (process.env.UPTIME_TEST_STORY === undefined) return;
    for (const { name, story } of results) process.stdout.write(`## ${name}\n${story}\n\n`);
  });

  test.skipIf(isMissing).each(scenarios)('$name', ({ name, mayAlso = [], mostMessages }) => {
    const result = results.find((one) => one.name === name);
    expect(documented.has(name), 'a row in docs/alerting.md').toBe(true);
    expect(result, 'it has happened').toBeDefined();
    const expected = documented.get(name) ?? [];
    const messages = result?.messages ?? [];
    if (mostMessages !== undefined) {
      expect(merged(messages), result?.story).toEqual([...expected].sort());
      expect(messages.length, result?.story).toBeLessThanOrEqual(mostMessages);
      return;
    }
    const arrived = [...messages].sort();
    const isMore = arrived.length > expected.length;
    expect(arrived, result?.story).toEqual([...expected, ...(isMore ? mayAlso : [])].sort());
  });
});
