import { expect, test } from 'vitest';
import { sandboxAccount } from '../support/sandbox-exporter.ts';
import { startWatchedSandbox } from '../support/watched-sandbox.ts';

const minute = 60_000;

test('by country, a small budget reads the probe list first, and the results from then on', async () => {
  const { sandbox, pass, page } = await startWatchedSandbox({
    checks: 50,
    shortLimit: 500,
    longLimit: 360_000,
    configuration: (url) => ({ accounts: [sandboxAccount({ url }, { byCountry: true })] }),
  });

  await pass(5 * minute);
  expect(sandbox.journal.countOfOperation('list_probes')).toBe(1);

  await pass(55 * minute);
  expect(sandbox.journal.countOfOperation('list_probes')).toBe(1);
  expect(await page()).toMatch(/^uptime_check_probe_results_total\{/m);
}, 60_000);
