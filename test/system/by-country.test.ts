import { expect, test } from 'vitest';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;

test('by country, a small budget reads the probe list first, and the results from then on', async () => {
  const exporter = await RestartableExporter.create({
    checks: 50,
    shortLimit: 500,
    longLimit: 360_000,
  });
  const { journal } = exporter.sandbox;
  await exporter.start({ byCountry: true });

  await exporter.pass(5 * minute);
  expect(journal.countOfOperation('list_probes')).toBe(1);

  await exporter.pass(55 * minute);
  expect(journal.countOfOperation('list_probes')).toBe(1);
  expect(await exporter.page()).toMatch(/^uptime_check_probe_results_total\{/m);
});
