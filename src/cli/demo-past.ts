import { performance } from 'node:perf_hooks';
import { type StartOptions, SteppedClock, startSandbox } from 'uptime-sandbox';
import { bearerToken } from '../api/http/authentication.ts';
import { Exporter } from '../app/exporter.ts';
import { memoryStorage } from '../app/open-storage.ts';
import { deleteBudget } from '../app/stored-budget.ts';
import type { Build } from '../app/version.ts';
import type { Configuration } from '../config/configuration.ts';
import { type DatasetName, datasetNames } from '../domain/dataset.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Scrubber, Secret } from '../lib/secret.ts';
import { copyMonths } from '../months/copy-months.ts';
import type { DatasetChoices } from '../schedule/demand.ts';
import { explainOutages } from './demo-causes.ts';

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
const recentMinutes = stepMinutes.reduce((sum, minutes) => sum + minutes, endsBeforeMinutes);
/** The report of the demo has this many complete months. */
const monthsOfDemo = 3;
/** The first month is watched from its beginning. */
const beforeMonthsMinutes = 1_440;
/** A month is written when its last hours have been reported, at the latest a while after. */
const afterMonthMinutes = [2 * 1_440, 2 * 1_440 + 30];
/** What the months of the past are computed from. */
const monthDatasets: readonly DatasetName[] = [
  'checks',
  'transactions',
  'outages',
  'history',
  'maintenance',
];
const statesAlone: DatasetChoices = Object.fromEntries(
  datasetNames
    .filter((name) => !monthDatasets.includes(name))
    .map((name) => [name, { enabled: false }]),
);
/** When this time has passed idle and without a request, all due data have been read. */
const quietMilliseconds = 75;
/** The longest time for which the last day is read. A very large account then shows less of it. */
const maxMilliseconds = 30_000;
/** The same for the months. */
const maxMonthsMilliseconds = 20_000;

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
 * Fills the store with the data of an exporter that has read the account for 25 hours, and with the
 * months of one that has read its states for longer. They run for some seconds, on clocks that are
 * moved ahead, against copies of the simulated service without limits. Their use of the request
 * budget is not stored.
 */
export async function readDemoPast(options: DemoPastOptions): Promise<void> {
  const { account, store } = options;
  const before = memoryStorage();
  const months = monthSteps(systemClock.now());
  // Both mostly wait for each other's silence, so together they take as long as the longer one.
  await Promise.all([
    readPast(
      { ...options, store: before, datasets: statesAlone },
      {
        steps: months.steps,
        endsBeforeMinutes: recentMinutes,
        milliseconds: maxMonthsMilliseconds,
      },
    ),
    readPast(
      { ...options, datasets: {} },
      { steps: stepMinutes, endsBeforeMinutes, milliseconds: maxMilliseconds },
    ),
  ]);
  // The month before them was watched for a day only.
  await copyMonths(before, store, { account, fromSeconds: months.fromSeconds });
  await explainMonths(options);
  await deleteBudget(store, account);
}

/** Adds the causes of outages to the months: to read all of their results takes too long. */
async function explainMonths(options: DemoPastOptions): Promise<void> {
  const service = await startCopy(options, systemClock);
  try {
    await explainOutages({ ...options, url: service.url });
  } finally {
    await service.close();
  }
}

/** A copy of the simulated service, without limits. */
function startCopy({ token, simulated }: DemoPastOptions, clock: Clock) {
  return startSandbox({
    ...simulated,
    clock,
    limitsClock: clock,
    token,
    host: '127.0.0.1',
    port: 0,
    shortLimit: ampleLimit,
    longLimit: ampleLimit,
  });
}

interface PastTime {
  /** Steps of the clock, in minutes. */
  readonly steps: readonly number[];
  /** The clock ends so long before the present. */
  readonly endsBeforeMinutes: number;
  /** The longest time that it takes. */
  readonly milliseconds: number;
}

async function readPast(
  options: DemoPastOptions & { readonly datasets: DatasetChoices },
  { steps, endsBeforeMinutes: endsBefore, milliseconds }: PastTime,
): Promise<void> {
  const behind = steps.reduce((sum, minutes) => sum + minutes, endsBefore);
  const clock = new SteppedClock(systemClock, 60_000 * behind);
  const service = await startCopy(options, clock);
  const exporter = pastExporter({ ...options, clock, url: service.url });
  const end = systemClock.monotonic() + milliseconds;
  try {
    await exporter.start();
    await untilQuiet(() => service.journal.total, end);
    for (const minutes of steps) {
      clock.step(minutes * 60_000);
      await untilQuiet(() => service.journal.total, end);
    }
  } finally {
    await exporter.stop();
    await service.close();
  }
}

interface PastExporterOptions extends DemoPastOptions {
  readonly datasets: DatasetChoices;
  readonly clock: SteppedClock;
  readonly url: string;
}

function pastExporter({ account, token, url, datasets, clock, ...options }: PastExporterOptions) {
  const { build, store, slo } = options;
  const secret = new Secret(token);
  return new Exporter({
    accounts: [
      {
        name: account,
        baseUrl: url,
        version: '3.1',
        datasets,
        authentication: bearerToken(secret),
      },
    ],
    listenOn: ['127.0.0.1:0'],
    telemetryPath: '/metrics',
    maxRequests: 1,
    build,
    clock,
    random: Math.random,
    slo,
    store: keptOpen(store),
    log: silent,
    scrubber: new Scrubber([secret]),
  });
}

interface MonthSteps {
  /** The beginning of the first month, in UNIX seconds. */
  readonly fromSeconds: number;
  /** Minutes. */
  readonly steps: readonly number[];
}

/** Steps of the clock from the first of the demo's months to the last day, over each end of a month. */
function monthSteps(now: number): MonthSteps {
  const end = now - 60_000 * recentMinutes;
  const today = new Date(end);
  const firstOf = (months: number) =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months, 1);
  const stops = [firstOf(monthsOfDemo) - 60_000 * beforeMonthsMinutes];
  for (let months = monthsOfDemo - 1; months >= 0; months--) {
    for (const after of afterMonthMinutes) {
      stops.push(Math.min(end, firstOf(months) + 60_000 * after));
    }
  }
  const steps = [...stops.slice(1), end].map(
    (stop, place) => (stop - (stops[place] ?? stop)) / 60_000,
  );
  return { fromSeconds: firstOf(monthsOfDemo) / 1000, steps };
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
