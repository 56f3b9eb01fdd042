import { describe, expect, test } from 'vitest';
import { blindScenarios, outageScenarios } from '../alerts/chain-scenarios.ts';
import { documentedMessages, runScenarios } from '../alerts/run-chain.ts';
import { missing } from '../support/tools.ts';

const chosen = [
  'One check goes down and comes back after 25 minutes',
  'Twelve checks of 40 go down at once and come back at once',
  'A check is down, the token is revoked; it is down throughout',
  'A check is down, the exporter is killed; it recovers meanwhile',
];
const scenarios = [...outageScenarios, ...blindScenarios].filter(({ name }) =>
  chosen.includes(name),
);

describe.skipIf(missing('prometheus') || missing('alertmanager'))('a live chain', () => {
  test('sends the messages that the documentation has, and no other', async () => {
    expect(scenarios).toHaveLength(chosen.length);
    const documented = documentedMessages();
    for (const { name, messages, story } of await runScenarios(scenarios, 30)) {
      expect([...messages].sort(), `${name}\n${story}`).toEqual(
        [...(documented.get(name) ?? [])].sort(),
      );
    }
  });
});
