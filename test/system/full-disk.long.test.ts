import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { unixSeconds } from '../../src/lib/clock.ts';
import { fill, onSmallDisk, smallDisk } from '../store/support/small-disk.ts';
import type { Samples } from '../support/counter-watch.ts';
import {
  addressOf,
  configure,
  expectTheTruthOf,
  laneAt,
  runThrough,
  startScaled,
  startUnrulyAccount,
} from '../support/scaled-life.ts';
import {
  countersOf,
  pageOf,
  untilAllIsCounted,
  untilAllIsRefused,
  untilDurableIsShown,
} from './support/frozen-counters.ts';

const minute = 60;
const hour = 60 * minute;

function openOutageOf(id: number, samples: Samples): number | undefined {
  return [...samples].find(
    ([name]) => name.startsWith('uptime_check_outage_open{') && name.includes(`check_id="${id}"`),
  )?.[1];
}

/** The longest time between two neighbours. */
function longestGap(times: readonly number[]): number {
  return Math.max(...times.slice(1).map((time, place) => time - (times[place] ?? time)));
}

onSmallDisk('on a small disk', () => {
  test.each(['full', 'read-only'])(
    'for an hour on a %s one lists go on, an outage is shown from its beginning to its end in spite of reloads, and counters wait',
    async (how) => {
      const since = Date.now();
      const { clock, sandbox } = await startUnrulyAccount(since);
      const disk = await smallDisk();
      const lane = await laneAt(0, join(disk, 'data'), sandbox.url);
      let child = startScaled(lane, since);
      let address = await addressOf(child);
      const page = () => pageOf(lane, address);
      await untilAllIsCounted(page);
      let restore: () => void | Promise<void>;
      if (how === 'full') {
        restore = await fill(disk);
        await untilAllIsRefused(page);
      } else {
        child.process.kill('SIGTERM');
        expect(await child.ended).toBe(0);
        execFileSync('mount', ['-o', 'remount,ro', disk]);
        restore = () => void execFileSync('mount', ['-o', 'remount,rw', disk]);
        child = startScaled(lane, since);
        address = await addressOf(child);
      }
      const durable = await untilDurableIsShown(lane, since, page);

      const begun = unixSeconds(clock);
      const [from, to] = [begun + 10 * minute, begun + 40 * minute];
      const [check] = sandbox.world.checks;
      if (check === undefined) throw new Error('the sandbox has no check');
      const span = (status: 'up' | 'down', from: number, to: number) =>
        sandbox.world.plant({ checkId: check.id, status, from, to });
      span('up', begun, from);
      span('down', from, to);
      span('up', to, begun + 2 * hour);
      const shown: [seconds: number, open: number | undefined][] = [];
      let reloads = 0;
      for (let now = begun; now < begun + hour; now = unixSeconds(clock)) {
        if (now >= begun + (reloads + 1) * 7 * minute) {
          reloads += 1;
          await configure(lane, sandbox.url, 1 + (reloads % 8));
          child.process.kill('SIGHUP');
        }
        const samples = await page();
        expect(countersOf(samples)).toEqual(durable);
        shown.push([now, openOutageOf(check.id, samples)]);
        await delay(10);
      }

      const reloaded = child.output().match(/configuration reloaded/g) ?? [];
      expect(reloaded).toHaveLength(reloads);
      const lists = sandbox.journal.recent.filter(
        ({ operation, time }) => operation === 'list_checks' && time >= begun * 1000,
      );
      const opened = shown.find(([at, open]) => at >= from && open === 1)?.[0] ?? Number.NaN;
      console.log(
        `${lists.length} lists in an hour on a ${how} disk, at most ${longestGap(lists.map(({ time }) => time / 1000)).toFixed(0)} s apart; ` +
          `the outage was shown ${opened - from} s after it began; ${reloads} reloads, ${shown.length} scrapes`,
      );
      // One list a minute; a loaded machine takes time, too.
      expect(lists.length).toBeGreaterThan(40);
      expect(opened).toBeLessThan(to);
      const during = shown.filter(([at]) => at >= opened && at < to);
      expect(during.filter(([, open]) => open !== 1)).toEqual([]);
      expect(shown.at(-1)?.[1]).toBe(0);

      await restore();
      await child.until(/store recovered/);
      child.process.kill('SIGTERM');
      expect(await child.ended).toBe(0);
      const freed = unixSeconds(clock);
      await runThrough(freed, lane, since);
      const now = unixSeconds(clock);
      await sandbox.close();
      await expectTheTruthOf(lane, sandbox, { since, now, sinceSeconds: freed });
      expect(child.output()).not.toMatch(/^\s+at |malloc|panic/m);
    },
  );
});
