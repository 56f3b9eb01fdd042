import { join } from 'node:path';
import { datasetNames } from '../../../src/domain/dataset.ts';
import type { Store } from '../../../src/store/store.ts';
import { World } from '../../life/world.ts';
import { planMaintenance } from '../../support/plan-maintenance.ts';

/*
 * Each format has a folder with the store that the exporter of that format wrote, and with what it
 * showed of it. `STORES=1 npm run test:night -- test/store/formats` writes that of the present one.
 */

export const folderOf = (version: number) => join(import.meta.dirname, `format-${version}`);
export const storeFiles = ['uptime.db', 'uptime.note'] as const;
/** What was shown of the account `shop`. */
export const shownFiles = { counters: 'counters.txt', report: 'report.json' } as const;
/** The items of the account `fields`, by their ids. */
export const itemsFile = 'items.json';

const reportPath = '/report.json?month=2026-10';
const [minute, hour] = [60, 3_600];
const begin = Date.UTC(2026, 9, 31, 21);
const end = Date.UTC(2026, 10, 1, 3);

const account = {
  byCountry: true,
  datasets: Object.fromEntries(datasetNames.map((name) => [name, { enabled: true }])),
};

function worldWith(store: Store, startMilliseconds: number): World {
  return World.inMemory({
    checks: 6,
    transactions: 2,
    store,
    startMilliseconds,
    shortLimit: 800,
    longLimit: 144_000,
    batchIntervalMilliseconds: 5 * minute * 1000,
    account,
  });
}

/**
 * An exporter that stores everything it can, in six hours around the end of a month: outages, a
 * pause, maintenance, a check that is removed, the past, all datasets.
 */
export async function liveIn(store: Store): Promise<void> {
  const world = worldWith(store, begin);
  const { sandbox, now } = world;
  const ids = sandbox.world.checks.map(({ id }) => id);
  const plant = (
    place: number,
    status: 'down' | 'unknown',
    fromMinute: number,
    minutes: number,
  ) => {
    const from = now + fromMinute * minute;
    const to = from + minutes * minute;
    sandbox.world.plant({ checkId: ids[place] ?? 0, status, from, to });
  };
  plant(0, 'down', 30, 25);
  plant(0, 'down', 240, 10);
  plant(1, 'unknown', 25, 30);
  plant(2, 'down', 350, 60);
  const work = { from: now + hour, to: now + 2 * hour };
  planMaintenance(sandbox.world, { ...work, uptimeids: ids.slice(1, 2) });
  await world.start();
  await world.pass(hour);
  await world.change('PUT', `/checks/${ids[3]}`, { paused: true });
  await world.change('DELETE', `/checks/${ids[4]}`);
  await world.pass(hour);
  await world.change('PUT', `/checks/${ids[3]}`, { paused: false });
  await world.post('/-/backfill?from=2026-09-01');
  await world.pass(4 * hour);
  await world.stop();
}

export interface Shown {
  /** The counters of checks and transactions. */
  readonly counters: string;
  /** The report of the month that has ended. */
  readonly report: string;
  readonly log: readonly string[];
}

/**
 * What an exporter shows that starts with the store, at the end of that life. Every request is
 * refused, so that it shows nothing else.
 */
export async function shownOf(store: Store): Promise<Shown> {
  const world = worldWith(store, end);
  world.sandbox.faults.inject({ kind: 'unauthorized' });
  await world.start();
  const page = await world.page();
  const counters = page.match(/^uptime_(?:check|transaction)_\w+_(?:total|count|sum)\{.*$/gm) ?? [];
  const report = await world.get(reportPath);
  await world.stop();
  return { counters: `${counters.join('\n')}\n`, report, log: world.log };
}
