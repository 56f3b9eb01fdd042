import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { startSandbox } from '../../sandbox/src/running-sandbox.ts';
import type { Sandbox } from '../../sandbox/src/sandbox.ts';
import { scaledClock } from '../../sandbox/src/simulation/clocks.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { SharedStore } from '../../src/replicas/postgres/open-postgres-store.ts';
import { claimAll, openPostgres, releaseAll } from '../replicas/support/open-postgres.ts';
import { openStore } from '../store/support/open-store.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { CounterWatch, type Samples } from './counter-watch.ts';
import { startExporter } from './exporter-command.ts';
import { checkResults, checkStates, transactionStatesTruth } from './service-truth.ts';
import { bookedSpan, readSpan, shownOf, shownResults } from './shown-totals.ts';

/** The speed of the sandbox's and the exporters' time relative to real time. */
export const scale = 60;
const checks = 12;
const transactions = 2;
const token = 'sandbox-token-1234567890';
const [scaledTime, killedAtWrite] = ['scaled-time.js', 'killed-at-write.js'].map((name) =>
  join(import.meta.dirname, name),
);

/**
 * Tested every minute. It fails from time to time, so that an outage could be lost or counted
 * twice.
 */
export async function startUnrulyAccount(since: number, speed = scale) {
  const clock = scaledClock(systemClock, speed);
  const sandbox = await startSandbox({
    clock,
    limitsClock: systemClock,
    checks,
    transactions,
    shortLimit: 1_000_000,
    longLimit: 100_000_000,
    token,
    host: '127.0.0.1',
    port: 0,
  });
  onTestFinished(() => sandbox.close());
  const now = Math.floor(since / 1000);
  for (const [position, check] of sandbox.world.checks.entries()) {
    const phaseSeconds = (position * 5) % 60;
    const runs = [{ from: check.created, resolutionSeconds: 60, phaseSeconds }];
    sandbox.world.registry.put({ ...check, resolutionMinutes: 1, runs });
    // Unknown time counts as up if no list was read in it, which depends on the machine.
    sandbox.world.plant({ checkId: check.id, status: 'up', from: now, to: now + 86_400 });
    for (let from = now + 60 * position; from < now + 86_400; from += 60 * (9 + position)) {
      sandbox.world.plant({ checkId: check.id, status: 'down', from, to: from + 60 * 3 });
    }
  }
  return { clock, sandbox };
}

/** An exporter with its own store across restarts. */
export interface Lane {
  readonly number: number;
  readonly path: string;
  readonly configuration: string;
  readonly watch: CounterWatch;
  /** The URL of a database, used instead of `path`. */
  readonly database?: string;
  /** The command that runs it, such as one that makes its disk slow. */
  readonly under?: readonly string[];
  /** The speed of its time relative to real time; by default the scale. */
  readonly speed?: number;
  /**
   * It also sleeps for a shorter time, so that lists are read every minute of its time. The default
   * scale would use a whole processor.
   */
  readonly sleepsFaster?: boolean;
}

/** A lane with its own configuration file. */
export async function laneAt(number: number, path: string, url: string): Promise<Lane> {
  const configuration = join(await temporaryFolder(), 'uptime.yaml');
  const lane = { number, path, configuration, watch: new CounterWatch() };
  await configure(lane, url, 4);
  return lane;
}

/** A busy machine responds as late as usual, while the lanes' time runs faster. */
const patience = { connect: '10m', headers: '10m', body: '10m', total: '10m' };

/** Other settings of the account, for a reload. */
export async function configure(
  { configuration }: Lane,
  url: string,
  concurrency: number,
): Promise<void> {
  const account = { name: 'default', base_url: url, token, concurrency, timeouts: patience };
  await writeFile(configuration, JSON.stringify({ metrics: 'full', accounts: [account] }));
}

/** `killedAt`: see killed-at-write.js. */
export function startScaled(lane: Lane, since: number, killedAt?: string) {
  const preloads = [scaledTime, ...(killedAt === undefined ? [] : [killedAtWrite])];
  return startExporter(
    [
      ...['--web.listen-address=127.0.0.1:0', '--log.level=debug'],
      lane.database === undefined
        ? `--storage.path=${lane.path}`
        : `--storage.url=${lane.database}`,
      // Clocks are faster but timers are not, so a renewal would always be too late.
      ...(lane.database === undefined ? [] : ['--storage.lease-ttl=1d']),
      `--config.file=${lane.configuration}`,
    ],
    {
      NODE_OPTIONS: preloads.map((file) => `--import=${file}`).join(' '),
      ...(killedAt !== undefined && { KILLED_AT_WRITE: killedAt }),
      SCALED_TIME: `${lane.speed ?? scale},${since}`,
      ...(lane.sleepsFaster === true && { SCALED_TIMERS: 'yes' }),
    },
    lane.under,
  );
}

export async function addressOf(child: ReturnType<typeof startScaled>): Promise<string> {
  const [, address = ''] = await child.until(/address=(?:http:\/\/)?([\d.]+:\d+)/);
  return `http://${address}`;
}

async function scrapeOnce(url: string, watch: CounterWatch): Promise<void> {
  const { body } = await request(`${url}/metrics`);
  watch.scraped(await body.text());
}

/** Both also resolve if it is killed before it serves, or while it responds. */
export function scrapeUntilEnd(child: ReturnType<typeof startScaled>, watch: CounterWatch) {
  const first = addressOf(child).then(async (url) => {
    await scrapeOnce(url, watch);
    return url;
  });
  const end = first.then(async (url) => {
    for (;;) {
      await delay(10);
      await scrapeOnce(url, watch);
    }
  });
  const settled = (scraping: Promise<unknown>) => scraping.catch(() => undefined);
  return { first: settled(first), end: settled(end) };
}

interface Status {
  readonly accounts: readonly {
    readonly checks?: { readonly last_24_hours: readonly { readonly spans: readonly Span[] }[] };
    readonly transactions?: { readonly total: number };
  }[];
}

interface Span {
  readonly to: number;
}

/**
 * UNIX seconds. 0 until each check has a start and the transactions are listed, because the store
 * may have totals of a killed process from before their list.
 */
async function everyCheckIsBookedThrough(address: string): Promise<number> {
  const { body } = await request(`${address}/status.json`);
  const { accounts } = (await body.json()) as Status;
  const [account] = accounts;
  const days = account?.checks?.last_24_hours ?? [];
  if (days.length < checks || account?.transactions?.total !== transactions) return 0;
  return Math.min(...days.map(({ spans }) => spans.at(-1)?.to ?? 0));
}

/** Runs without faults until all events of the checks so far are counted, then stops gracefully. */
export async function runThrough(seconds: number, lane: Lane, since: number): Promise<void> {
  const child = startScaled(lane, since);
  const scraping = scrapeUntilEnd(child, lane.watch);
  const address = await addressOf(child);
  while ((await everyCheckIsBookedThrough(address)) <= seconds) await delay(50);
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
  await scraping.end;
}

/** The page of a restarted exporter that cannot reach the service. */
export async function lastPage(lane: Lane, since: number): Promise<Samples> {
  const child = startScaled(lane, since);
  const { body } = await request(`${await addressOf(child)}/metrics`);
  const samples = lane.watch.scraped(await body.text());
  child.process.kill('SIGKILL');
  await child.ended;
  if (lane.database !== undefined) await releaseAll(lane.database);
  return samples;
}

async function storedItems({ path, database: url }: Lane) {
  const { store } = url === undefined ? await openStore(path) : await openKilled(url);
  const { items } = await store.load('default');
  await store.close();
  return items;
}

async function openKilled(url: string): Promise<SharedStore> {
  const shared = await openPostgres(url);
  await claimAll(shared);
  return shared;
}

/**
 * No counter has stepped back, and all agree with the service `now`. Everything until
 * `sinceSeconds` is counted.
 */
export async function expectTheTruthOf(
  lane: Lane,
  sandbox: Sandbox,
  {
    since,
    now,
    sinceSeconds,
  }: { readonly since: number; readonly now: number; readonly sinceSeconds: number },
): Promise<void> {
  const samples = await lastPage(lane, since);
  expect(lane.watch.backsteps).toEqual([]);
  const items = await storedItems(lane);
  expect(items.check.size).toBe(checks);
  for (const [id, item] of items.check) {
    const shown = shownOf(samples, 'check', 'default', id);
    const span = bookedSpan(item);
    expect(span.toSeconds).toBeGreaterThan(sinceSeconds);
    const { seconds, outages } = checkStates(sandbox, id, span, now);
    expect({ id, ...shown }).toEqual({ id, seconds, outages });
    expect(shownResults(samples, 'default', id)).toEqual(checkResults(sandbox, id, readSpan(item)));
  }
  for (const [id, item] of items.transaction) {
    const { seconds, outages } = transactionStatesTruth(sandbox, id, bookedSpan(item), now);
    const shown = shownOf(samples, 'transaction', 'default', id);
    expect({ id, ...shown }).toEqual({ id, seconds, outages });
  }
}
