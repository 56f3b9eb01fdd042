import { expect, test } from 'vitest';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import { casesOf, extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { checkStates } from '../support/service-truth.ts';
import { bookedSpan, shownOf } from '../support/shown-totals.ts';
import { statesOnly } from '../support/states-only.ts';

const minute = 60;
const hour = 60 * minute;

test.each(casesOf(['3.1', '2.1', '2.0'] as const, 0))(
  'in API %s a pause that reports show as unknown counts as time that was not monitored',
  async (version) => {
    const exporter = await RestartableExporter.create({
      checks: 4,
      datasets: statesOnly,
      wire: { pausesInReports: 'unknown' },
    });
    const { sandbox } = exporter;
    await exporter.start(accountsByVersion[version]);
    await exporter.pass(extent(20 * minute, hour));
    const [{ id } = { id: 0 }] = sandbox.world.checks;

    await exporter.change('PUT', `/checks/${id}`, { paused: true });
    const pause = extent(1, 3);
    await exporter.pass(pause * hour);
    const paused = shownOf(await exporter.scrape(), 'check', 'shop', id);
    await exporter.change('PUT', `/checks/${id}`, { paused: false });
    await exporter.pass(extent(1, 2) * hour);

    expect(paused.seconds.unmonitored).toBeGreaterThan((pause - 0.1) * hour);
    expect(paused.seconds.unknown).toBe(0);
    const samples = await exporter.scrape();
    const { items } = await exporter.disk.load('shop');
    expect(items.check.size).toBe(sandbox.world.checks.length);
    for (const [checkId, item] of items.check) {
      const { seconds, outages } = checkStates(sandbox, checkId, bookedSpan(item), exporter.now);
      expect(shownOf(samples, 'check', 'shop', checkId)).toEqual({ seconds, outages });
      expect(exporter.now - item.states.horizonSeconds).toBeLessThan(hour);
    }
    expect(exporter.watch.backsteps).toEqual([]);
  },
);
