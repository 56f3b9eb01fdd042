import { expect, test } from 'vitest';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { expectTheTruth } from '../support/the-truth.ts';

const minute = 60;
const hour = 60 * minute;

test('an account whose checks are all deleted is empty and up, and its new checks are counted from their beginning', async () => {
  const exporter = await RestartableExporter.create({ checks: 3, transactions: 0 });
  const { world } = exporter.sandbox;
  await exporter.start();
  await exporter.pass(hour);
  await exporter.scrape();

  for (const { id } of [...world.checks]) await exporter.change('DELETE', `/checks/${id}`);
  await exporter.pass(hour);

  const empty = await exporter.page();
  expect(empty).not.toContain('check_id=');
  expect(empty).toContain('uptime_up{account="shop"} 1\n');
  expect(empty).toMatch(/uptime_exporter_dataset_last_success_.*dataset="checks"/);
  expect(empty).not.toMatch(/uptime_exporter_dataset_(?:last_success|interval|stale).*"results"/);
  const kept = [...(await exporter.disk.load('shop')).items.check.values()];
  expect(kept).toHaveLength(3);
  for (const { goneAtSeconds } of kept) expect(goneAtSeconds).toBeGreaterThan(exporter.now - hour);
  await exporter.crash();
  await exporter.start();
  await exporter.pass(10 * minute);
  expect(await exporter.page()).not.toContain('check_id=');

  for (const name of ['Shop', 'Blog']) {
    await exporter.change('POST', '/checks', { name, host: 'www.example.com', type: 'http' });
  }
  await exporter.pass(5 * minute);
  const [{ id = 0 } = {}] = world.checks;
  const from = exporter.now + 20 * minute;
  world.plant({ checkId: id, status: 'down', from, to: from + 15 * minute });
  await exporter.pass(3 * hour);

  expect(world.checks).toHaveLength(2);
  await expectTheTruth(exporter);
});
