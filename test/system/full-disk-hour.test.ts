import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fill, onSmallDisk, smallDisk } from '../store/support/small-disk.ts';
import type { Samples } from '../support/counter-watch.ts';
import { casesOf, extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { checkStates } from '../support/service-truth.ts';
import { bookedSpan, shownOf } from '../support/shown-totals.ts';
import { DiskStore } from './support/disk-store.ts';
import { countersOf } from './support/frozen-counters.ts';

const minute = 60;
const hour = 60 * minute;
const lists = 'list_checks';
const span = extent(20, 60) * minute;
/** The changes of the first lists after a start are shown before the counters are compared. */
const settling = 5 * minute;

/** A fault of the disk. Resolves with a function that ends it. */
const breaks: Record<string, (disk: string) => Promise<() => Promise<void>>> = {
  full: fill,
  'read-only': async (disk) => {
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    return async () => void execFileSync('mount', ['-o', 'remount,rw', disk]);
  },
};

function openOutageOf(id: number, samples: Samples): number | undefined {
  return [...samples].find(
    ([name]) => name.startsWith('uptime_check_outage_open{') && name.includes(`check_id="${id}"`),
  )?.[1];
}

function longestGap(times: readonly number[]): number {
  return Math.max(...times.slice(1).map((time, place) => time - (times[place] ?? time)));
}

onSmallDisk('on a small disk', () => {
  test.each(casesOf(Object.keys(breaks), 0))(
    `for ${span / minute} minutes on a %s one the list is read every minute, an outage is shown from its first list to its end in spite of reloads, and counters wait`,
    async (how) => {
      const disk = await smallDisk();
      let now = () => 0;
      const store = new DiskStore(join(disk, 'data'), () => now());
      const exporter = await RestartableExporter.create({ checks: 6, transactions: 1, store });
      const { sandbox, clock } = exporter;
      now = () => clock.now();
      const [check] = sandbox.world.checks;
      if (check === undefined) throw new Error('the sandbox has no check');
      const checkId = check.id;
      const begun = exporter.now + 30 * minute;
      const [from, to, end] = [begun + span / 4, begun + 0.75 * span, begun + span];
      sandbox.world.plant({ checkId, status: 'up', from: exporter.now - hour, to: end + 9 * hour });
      sandbox.world.plant({ checkId, status: 'down', from, to });
      await store.open();
      await exporter.start();
      await exporter.pass(begun - settling - exporter.now);
      // The log of a closed store is empty, so it has no room for a commit.
      await exporter.stop();
      await store.close();
      const restore = await breaks[how]?.(disk);
      await store.open();
      await exporter.start();
      await exporter.pass(begun - exporter.now);
      const durable = countersOf(await exporter.scrape());
      expect([...durable.values()].reduce((sum, value) => sum + value, 0)).toBeGreaterThan(hour);

      const shown: [seconds: number, open: number | undefined][] = [];
      for (let reload = 0; exporter.now < end; ) {
        if (exporter.now >= begun + (reload + 1) * 4 * minute) {
          reload += 1;
          await exporter.reload({ digest: `reload ${reload}` });
          const page = await exporter.page();
          expect(page).toContain('uptime_exporter_config_last_reload_successful 1\n');
        }
        const samples = await exporter.scrape();
        expect(countersOf(samples)).toEqual(durable);
        shown.push([exporter.now, openOutageOf(checkId, samples)]);
        await exporter.pass(15);
      }

      const read = sandbox.journal.recent
        .filter(
          ({ operation, time }) =>
            operation === lists && time >= begun * 1000 && time <= end * 1000,
        )
        .map(({ time }) => Math.round(time / 1000));
      expect(read.length).toBeGreaterThanOrEqual(span / minute);
      expect(longestGap(read)).toBeLessThanOrEqual(minute + 1);
      const opened = shown.find(([at, open]) => at >= from && open === 1)?.[0] ?? Number.NaN;
      // A test of the check, the one that confirms its failure, and the list that shows it.
      expect(opened - from).toBeLessThanOrEqual((2 * check.resolutionMinutes + 1) * minute + 15);
      expect(shown.filter(([at, open]) => at < from && open === 1)).toEqual([]);
      expect(shown.filter(([at, open]) => at >= opened && at < to && open !== 1)).toEqual([]);
      expect(shown.at(-1)?.[1]).toBe(0);

      await restore?.();
      await exporter.pass(hour);
      expect(exporter.log.join('')).toContain('store recovered');
      const samples = await exporter.scrape();
      const { items } = await store.load('shop');
      expect(items.check.size).toBe(sandbox.world.checks.length);
      for (const [id, item] of items.check) {
        const span = bookedSpan(item);
        expect(span.toSeconds).toBeGreaterThan(end);
        const { seconds, outages } = checkStates(sandbox, id, span, exporter.now);
        expect({ id, ...shownOf(samples, 'check', 'shop', id) }).toEqual({ id, seconds, outages });
      }
      expect(exporter.watch.backsteps).toEqual([]);
    },
  );
});
