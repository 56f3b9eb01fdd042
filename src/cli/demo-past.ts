import { performance } from 'node:perf_hooks';
import { type StartOptions, SteppedClock, startSandbox } from 'uptime-sandbox';
import { bearerToken } from '../api/http/authentication.ts';
import { Exporter } from '../app/exporter.ts';
import type { memoryStorage } from '../app/open-storage.ts';
import { deleteBudget } from '../app/stored-budget.ts';
import type { Build } from '../app/version.ts';
import type { Configuration } from '../config/configuration.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { formatInstant } from '../lib/instant.ts';
import type { Log } from '../lib/log.ts';
import { Scrubber, Secret } from '../lib/secret.ts';
import { exporterAuthFlag } from '../remote/exporter-flags.ts';
import { RetryingClient } from '../remote/retrying-client.ts';

type Store = ReturnType<typeof memoryStorage>;

/** A limit that never runs out, so that requests are not spread; a larger one is ignored. */
const ampleLimit = 1_000_000_000;
/**
 * Steps of the clock. The long ones read the results of a day, which have the causes of its
 * outages. The short ones at the end show how an outage developed.
 */
const stepMinutes = [720, 720, 30, 12, 8, 5, 4, 2, 1, 1, 1, 1];
/** The simulated past ends shortly before the present, so that the demo's lists are due at once. */
const endsBeforeMinutes = 2;
/** The report of the demo has this many complete months. */
const monthsOfDemo = 3;
/** When this time has passed idle and without a request, all due data have been read. */
const quietMilliseconds = 75;
/** The longest time that it takes. A very large account then shows less of the last day. */
const maxMilliseconds = 30_000;

interface DemoPastOptions {
  readonly account: string;
  readonly token: string;
  /** The options of the simulated account. */
  readonly simulated: Omit<
    StartOptions,
    'clock' | 'limitsClock' | 'host' | 'port' | 'token' | 'shortLimit' | 'longLimit'
  >;
  readonly store: Store;
  readonly build: Build;
  /** Objectives and groups, which the months of the past have, too. */
  readonly slo: Configuration['slo'];
}

/**
 * Fills the store with the data of an exporter that has watched the account for 25 hours and begins to
 * read the last months. It runs for some seconds, on a clock that is moved ahead, against a copy of the
 * simulated service without limits. Its use of the request budget is not stored. A demo that only read
 * its past would have no causes of outages and no report to begin with.
 */
export async function readDemoPast(options: DemoPastOptions): Promise<void> {
  const { account, store, token, simulated } = options;
  const behindMinutes = stepMinutes.reduce((sum, minutes) => sum + minutes, endsBeforeMinutes);
  const clock = new SteppedClock(systemClock, 60_000 * behindMinutes);
  const service = await startSandbox({
    ...simulated,
    clock,
    limitsClock: clock,
    token,
    host: '127.0.0.1',
    port: 0,
    shortLimit: ampleLimit,
    longLimit: ampleLimit,
  });
  const exporter = pastExporter({ ...options, clock, url: service.url });
  const requests = () => service.journal.total;
  const end = systemClock.monotonic() + maxMilliseconds;
  try {
    const url = await exporter.start();
    await untilQuiet(requests, end);
    for (const minutes of stepMinutes) {
      clock.step(60_000 * minutes);
      await untilQuiet(requests, end);
    }
    await beginMonths(url, account);
  } finally {
    await exporter.stop();
    await service.close();
  }
  await deleteBudget(store, account);
}

interface PastExporterOptions extends DemoPastOptions {
  readonly clock: Clock;
  readonly url: string;
}

function pastExporter({ account, token, build, store, slo, clock, url }: PastExporterOptions) {
  const secret = new Secret(token);
  return new Exporter({
    accounts: [
      { name: account, baseUrl: url, version: '3.1', authentication: bearerToken(secret) },
    ],
    listenOn: ['127.0.0.1:0'],
    build,
    clock,
    random: Math.random,
    slo,
    store: keptOpen(store),
    log: silent,
    scrubber: new Scrubber([secret]),
  });
}

/**
 * Begins to read the last months, as `uptime-exporter months` does. The job is stored, and the
 * exporter of the demo finishes it within its budget.
 */
async function beginMonths(url: string, account: string): Promise<void> {
  const exporter = new RetryingClient({
    url,
    server: 'the exporter',
    authFlag: exporterAuthFlag,
    clock: systemClock,
    signal: AbortSignal.timeout(maxMilliseconds),
  });
  const today = new Date(systemClock.now());
  const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsOfDemo, 1);
  const query = new URLSearchParams({ account, from: formatInstant(first / 1000) });
  await exporter.json('POST', `/-/backfill?${query}`);
}

/** An exporter closes its store when it stops, but this store is still needed. */
function keptOpen(store: Store): Store {
  return {
    id: store.id,
    accounts: () => store.accounts(),
    load: (account) => store.load(account),
    readMonth: (batch) => store.readMonth(batch),
    commit: (changes) => store.commit(changes),
    close: async () => {},
  };
}

async function untilQuiet(requests: () => number, endMilliseconds: number): Promise<void> {
  let before = -1;
  while (requests() !== before && systemClock.monotonic() < endMilliseconds) {
    before = requests();
    await untilIdle(quietMilliseconds);
  }
}

/** Resolves when the event loop has been idle for this time in total. */
async function untilIdle(milliseconds: number): Promise<void> {
  const start = performance.eventLoopUtilization();
  do {
    await systemClock.sleep(milliseconds / 3);
  } while (performance.eventLoopUtilization(start).idle < milliseconds);
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
