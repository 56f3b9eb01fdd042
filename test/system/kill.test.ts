import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock, unixSeconds } from '../../src/lib/clock.ts';
import { startSandbox } from '../../src/sandbox/running-sandbox.ts';
import { scaledClock } from '../../src/sandbox/scaled-clock.ts';
import { openLmdbStore } from '../../src/store/open-lmdb-store.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { CounterWatch, type Samples } from '../support/counter-watch.ts';
import { startExporter } from '../support/exporter-command.ts';
import { checkResults, checkStates, transactionStatesTruth } from '../support/service-truth.ts';
import { bookedSpan, readSpan, shownOf, shownResults } from '../support/shown-totals.ts';

const scale = 60;
const lanes = 4;
const checks = 12;
const killsPerLane = 25;
const token = 'sandbox-token-1234567890';
const scaledTime = join(import.meta.dirname, '..', 'support', 'scaled-time.js');

/** Tested every minute; it fails now and then, so that outages are there to be counted twice or lost. */
async function startUnrulyAccount(since: number) {
  const clock = scaledClock(systemClock, scale);
  const sandbox = await startSandbox({
    clock,
    limitsClock: systemClock,
    checks,
    transactions: 2,
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
    for (let from = now + 60 * position; from < now + 86_400; from += 60 * (9 + position)) {
      sandbox.world.plant({ checkId: check.id, status: 'down', from, to: from + 60 * 3 });
    }
  }
  return { clock, sandbox };
}

interface Lane {
  readonly path: string;
  readonly watch: CounterWatch;
}

function start(lane: Lane, url: string, since: number) {
  return startExporter(
    ['--web.listen-address=127.0.0.1:0', `--storage.path=${lane.path}`, '--log.level=debug'],
    {
      UPTIME_API_BASE_URL: url,
      UPTIME_API_TOKEN: token,
      NODE_OPTIONS: `--import=${scaledTime}`,
      SCALED_TIME: `${scale},${since}`,
    },
  );
}

async function addressOf(child: ReturnType<typeof start>): Promise<string> {
  const [, address = ''] = await child.until(/address=(?:http:\/\/)?([\d.]+:\d+)/);
  return `http://${address}`;
}

async function scrapeUntilEnd(child: ReturnType<typeof start>, watch: CounterWatch): Promise<void> {
  try {
    const url = await addressOf(child);
    for (;;) {
      const { body } = await request(`${url}/metrics`);
      watch.scraped(await body.text());
      await delay(10);
    }
  } catch {
    // It was killed: before it served, or while it answered.
  }
}

async function killAgainAndAgain(lane: Lane, url: string, since: number): Promise<void> {
  for (let kill = 0; kill < killsPerLane; kill++) {
    const child = start(lane, url, since);
    const scraping = scrapeUntilEnd(child, lane.watch);
    const serving = child.until(/msg="serving metrics"/).catch(() => undefined);
    // One in five does not even come to serve.
    if (Math.random() < 0.8) await serving;
    await delay(Math.random() * 700);
    child.process.kill('SIGKILL');
    expect(await child.ended).toBe('SIGKILL');
    await scraping;
    expect(child.output()).not.toContain('moved aside');
  }
}

/** Runs undisturbed until it has read the list, then ends in good order. */
async function runToTheEnd(lane: Lane, url: string, since: number): Promise<void> {
  const child = start(lane, url, since);
  const scraping = scrapeUntilEnd(child, lane.watch);
  await child.until(/(?:msg=refreshed .*dataset=checks(?:.|\n)*){3}/);
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
  await scraping;
}

/** What a restarted exporter shows when it can learn nothing new. */
async function lastPage(lane: Lane, url: string, since: number): Promise<Samples> {
  const child = start(lane, url, since);
  const { body } = await request(`${await addressOf(child)}/metrics`);
  const samples = lane.watch.scraped(await body.text());
  child.process.kill('SIGKILL');
  await child.ended;
  return samples;
}

async function storedItems({ path }: Lane) {
  const { store } = await openLmdbStore({ path, asideSuffix: 'x' });
  const { items } = await store.load('default');
  await store.close();
  return items;
}

test('killed 100 times at random moments, no counter steps back, and in the end all agree with the service', async () => {
  const since = Date.now();
  const { clock, sandbox } = await startUnrulyAccount(since);
  const all: readonly Lane[] = await Promise.all(
    Array.from({ length: lanes }, async () => ({
      path: await temporaryFolder(),
      watch: new CounterWatch(),
    })),
  );
  await Promise.all(all.map((lane) => killAgainAndAgain(lane, sandbox.url, since)));
  const killed = unixSeconds(clock);
  await Promise.all(all.map((lane) => runToTheEnd(lane, sandbox.url, since)));
  const now = unixSeconds(clock);
  await sandbox.close();

  for (const lane of all) {
    const samples = await lastPage(lane, sandbox.url, since);
    expect(lane.watch.backsteps).toEqual([]);
    expect(lane.watch.scrapes).toBeGreaterThan(killsPerLane);
    const items = await storedItems(lane);
    expect(items.check.size).toBe(checks);
    for (const [id, item] of items.check) {
      const shown = shownOf(samples, 'check', 'default', id);
      const span = bookedSpan(item);
      expect(span.toSeconds).toBeGreaterThan(killed - 300);
      const { seconds, outages } = checkStates(sandbox, id, span, now);
      expect({ id, ...shown }).toEqual({ id, seconds, outages });
      expect(shownResults(samples, 'default', id)).toEqual(
        checkResults(sandbox, id, readSpan(item)),
      );
    }
    for (const [id, item] of items.transaction) {
      const { seconds, outages } = transactionStatesTruth(sandbox, id, bookedSpan(item), now);
      const shown = shownOf(samples, 'transaction', 'default', id);
      expect({ id, ...shown }).toEqual({ id, seconds, outages });
    }
  }
}, 300_000);
