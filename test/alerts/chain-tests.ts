import { describe, expect, test } from 'vitest';
import type { ChainServers } from '../support/alert-chain.ts';
import { missing } from '../support/tools.ts';
import type { ChainScenario } from './chain-scenarios.ts';
import { documentedMessages, merged, runScenarios, type ScenarioResult } from './run-chain.ts';

const divisor = 20;

/** Runs the scenarios and compares the messages of each with its row in docs/alerting.md. */
export function chainTests(
  title: string,
  servers: ChainServers,
  scenarios: readonly ChainScenario[],
): void {
  const documented = documentedMessages();
  const isMissing = missing(servers.prometheus) || missing(servers.alertmanager);
  describe(title, () => {
    const results: ScenarioResult[] = [];

    test.skipIf(isMissing)('it happens', async () => {
      results.push(...(await runScenarios(scenarios, { divisor, servers })));
      if (process.env.UPTIME_TEST_STORY === undefined) return;
      for (const { name, story } of results) process.stdout.write(`## ${name}\n${story}\n\n`);
    });

    test.skipIf(isMissing).each(scenarios)('$name', ({ name, mostMessages }) => {
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
      expect([...messages].sort(), result?.story).toEqual([...expected].sort());
    });
  });
}
