import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { hashUnit } from '../../src/lib/random.ts';
import { type StateChange, StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog, type StateLog } from '../../src/slo/state-log.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { StoredItem } from '../../src/store/store.ts';
import { startResultTally } from '../../src/tally/result-tally.ts';
import { noSeconds } from '../../src/tally/state-tally.ts';
import { Measured } from './measured.ts';
import type { ReplayCounts, ReplayOrder } from './replay-service.ts';
import { scrape } from './scrape.ts';
import { ExporterFolder, type ServeOptions, type ServeProcess } from './serve.ts';

/** The default bounds of the exporter, in seconds. */
const responseTimeBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The share of the requests that a plan leaves for results, approximately. */
const resultsShare = 0.97;

/**
 * An exporter whose store has the lists and results of some accounts, and the service that it
 * polls.
 */
export interface Prepared {
  readonly checks: number;
  readonly accounts: number;
  readonly requestsPerHour: number;
  readonly folder: ExporterFolder;
  readonly service: Measured;
  /** The size of the last full page. */
  readonly gzipBytes: number;
  options(datasets: readonly string[]): ServeOptions;
  order(difference: ReplayOrder['difference'], limit?: number): Promise<ReplayCounts>;
  end(): Promise<void>;
}

/** Reads the first lists, and stores what an exporter has stored after some weeks. */
export async function prepare(
  checks: number,
  accounts: number,
  shareWithOutages: number,
  requestsPerHour: number,
): Promise<Prepared> {
  const folder = new ExporterFolder();
  const service = new Measured({
    script: join(import.meta.dirname, 'replay-service.js'),
    arguments: [String(checks)],
  });
  const order: Prepared['order'] = (difference, limit = requestsPerHour) =>
    service.tell({ difference, limit } satisfies ReplayOrder);
  const { port } = await service.ready();
  const options = (datasets: readonly string[]): ServeOptions => ({
    accounts,
    servicePort: port,
    datasets,
  });
  const first = await folder.serve(options([]));
  while ((await order('all')).lists < accounts) {
    await setTimeout(200);
    await first.measured.usage();
  }
  await first.measured.quiet();
  await first.measured.end();
  await useStore(folder, { checks, accounts, shareWithOutages, requestsPerHour });
  const second = await folder.serve(options([]));
  await second.fullScrape(0);
  await second.measured.quiet();
  const { bytes } = await scrape(second.port, 'gzip');
  await second.measured.end();
  return {
    checks,
    accounts,
    requestsPerHour,
    folder,
    service,
    gzipBytes: bytes,
    options,
    order,
    end: async () => {
      await service.end();
      folder.remove();
    },
  };
}

interface UseOptions extends Pick<Prepared, 'checks' | 'accounts' | 'requestsPerHour'> {
  /** The share of the checks that have had an outage nearly every day. */
  readonly shareWithOutages: number;
}

/** A day of results for each check, and 35 days of states for some. */
async function useStore(
  folder: ExporterFolder,
  { checks, accounts, shareWithOutages, requestsPerHour }: UseOptions,
): Promise<void> {
  const { store } = await openSqliteStore({ path: folder.storePath, now: Date.now });
  for (let index = 0; index < accounts; index++) {
    const account = accounts === 1 ? 'main' : `account-${index}`;
    const { items } = await store.load(account);
    const dueAfterSeconds = 3600 * Math.max(1, checks / (requestsPerHour * resultsShare));
    const entries = [...items.check].map(([id, item]) => {
      const hasOutages = hashUnit(id, 4) < shareWithOutages;
      const counted = withResults(id, item, dueAfterSeconds);
      return [id, hasOutages ? withOutages(id, counted) : counted] as const;
    });
    await store.commit({ account, items: { check: new Map(entries) } });
  }
  await store.close();
}

/**
 * Results that were read long enough ago, at different times, that the next ones are due one after
 * the other.
 */
function withResults(id: number, item: StoredItem, dueAfterSeconds: number): StoredItem {
  const readAtSeconds = Math.floor(Date.now() / 1000 - dueAfterSeconds * (1 + hashUnit(id, 2)));
  const results = startResultTally(readAtSeconds, responseTimeBounds);
  const { responseTimes } = results;
  const counts = [...responseTimeBounds, 0].map((_, bucket) =>
    Math.floor(hashUnit(id, 10 + bucket) * 8),
  );
  const up = counts.reduce((sum, count) => sum + count, 0);
  return {
    ...item,
    results: {
      ...results,
      counts: { up, down: 1, unconfirmed_down: 0, unknown: 0 },
      responseTimes: { ...responseTimes, counts, sumMilliseconds: up * 371 },
    },
  };
}

const outageDays = 39;
const outageSeconds = 300;

/** A check that was up at its horizon, seen for 40 days, with 79 changes of its state. */
function withOutages(id: number, item: StoredItem): StoredItem {
  const { horizonSeconds } = item.states;
  const startSeconds = horizonSeconds - (outageDays + 1) * 86_400;
  const changes: StateChange[] = [{ state: 'up', fromSeconds: startSeconds }];
  for (let day = 1; day <= outageDays; day++) {
    const fromSeconds = startSeconds + day * 86_400 - Math.floor(hashUnit(id, 5, day) * 43_200);
    changes.push({ state: 'down', fromSeconds });
    changes.push({ state: 'up', fromSeconds: fromSeconds + outageSeconds });
  }
  const down = outageDays * outageSeconds;
  const up = (changes.at(-1)?.fromSeconds ?? startSeconds) - startSeconds - down;
  const log: StateLog = {
    ...emptyLog(startSeconds),
    changes: StateChanges.of(changes),
    seconds: { ...noSeconds, up, down },
    outages: outageDays,
    lastOutageSeconds: outageSeconds,
  };
  return { ...item, states: { ...item.states, startSeconds }, log };
}

/** Serves the stored data. Resolves when the first lists are read and the exporter is idle. */
export async function serveAtRest(
  prepared: Prepared,
  datasets: readonly string[],
): Promise<ServeProcess> {
  const before = await prepared.order('all');
  const process = await prepared.folder.serve(prepared.options(datasets));
  await process.fullScrape(prepared.gzipBytes * 0.95);
  while ((await prepared.order('all')).lists < before.lists + prepared.accounts) {
    await setTimeout(200);
  }
  if (datasets.length === 0) await process.measured.quiet();
  return process;
}
