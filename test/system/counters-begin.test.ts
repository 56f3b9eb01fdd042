import { expect, test } from 'vitest';
import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import { extent } from '../support/extent.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;

/**
 * The samples of a page that the exporter counts itself: counters, histograms and summaries, keyed
 * by name and labels.
 */
function countersOf(page: string): Map<string, number> {
  const counters = new Map<string, number>();
  let counts = false;
  for (const line of page.split('\n')) {
    if (line.startsWith('# TYPE ')) {
      const [, , family = '', type = ''] = line.split(' ');
      counts = family.startsWith('uptime_') && /^(?:counter|histogram|summary)$/.test(type);
    }
    if (!counts || line === '' || line.startsWith('#')) continue;
    const end = line.lastIndexOf(' ');
    counters.set(line.slice(0, end), Number(line.slice(end + 1)));
  }
  return counters;
}

const faults: readonly (readonly [FaultName, string | undefined])[] = [
  ['status-500', 'list_checks'],
  ['malformed-entries', 'list_results'],
  ['unauthorized', undefined],
  ['reset-in-body', 'list_outages'],
  ['status-503', undefined],
  ['limit-exceeded', 'list_actions'],
];

test('no counter appears with an event: each is 0 on a page before its first one', async () => {
  const exporter = await RestartableExporter.create({
    seed: 4,
    checks: 8,
    transactions: 3,
    shortLimit: 4_000,
    longLimit: 720_000,
  });
  const { sandbox } = exporter;
  const { world } = sandbox;
  await exporter.start({ byCountry: true });
  const start = exporter.now;
  for (const [place, { id }] of world.checks.entries()) {
    const from = start + (10 + 5 * place) * minute;
    world.plant({ checkId: id, status: 'down', from, to: from + 15 * minute });
  }
  const maintain = (from: number, to: number) => {
    const uptimeids = world.checks.slice(0, 4).map(({ id }) => id);
    planMaintenance(world, { from, to, uptimeids });
  };
  const seen = new Set<string>();
  const begunLate = new Set<string>();
  let isFirst = true;
  /** Advances by minutes, with one scrape in each. */
  const scraped = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed++) {
      await exporter.pass(minute);
      for (const [sample, value] of countersOf(await exporter.page())) {
        // Events before the first page are not visible to any reader of pages.
        if (value > 0 && !isFirst && !seen.has(sample)) begunLate.add(sample);
        seen.add(sample);
      }
      isFirst = false;
    }
  };
  const minutes = extent(100, 600);
  for (let passed = 0; passed < minutes; passed++) {
    await scraped(1);
    if (passed === 30) maintain(exporter.now, exporter.now + 20 * minute);
    if (passed % 15 === 5) {
      const [kind, operation] = faults[((passed - 5) / 15) % faults.length] ?? ['html', undefined];
      const id = sandbox.faults.inject({ kind, ...(operation !== undefined && { operation }) });
      await scraped(3);
      sandbox.faults.clear(id);
    }
  }

  const families = new Map<string, string>();
  for (const sample of begunLate) families.set(sample.replace(/\{.*/, ''), sample);
  expect([...families.values()]).toEqual([]);
  expect(seen.size).toBeGreaterThan(500);
});
