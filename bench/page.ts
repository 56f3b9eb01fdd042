import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { ExporterMetrics } from '../src/exposition/exporter-metrics.ts';
import { Exposition } from '../src/exposition/exposition.ts';
import type { Encoding } from '../src/exposition/format.ts';
import type { Page } from '../src/exposition/page.ts';
import { PageRenderer } from '../src/exposition/page-renderer.ts';
import { systemClock } from '../src/lib/clock.ts';
import type { CheckRow } from '../src/state/check-row.ts';
import {
  manyChecks,
  snapshotOf,
  testedAgain,
  withDown,
  withResults,
} from './support/many-checks.ts';
import { type Measurement, measure } from './support/measure.ts';
import { promClientRegistry } from './support/prom-client-page.ts';
import { report } from './support/report.ts';

/**
 * What the page of a large account costs: rendering it, and reading it for a scrape, against
 * prom-client rendering the same families. Both compress with gzip level 1.
 *
 * Usage: node page.js [result.json]
 */
const checkCount = 25_000;
const compress = promisify(gzip);
const renderer = new PageRenderer({
  clock: systemClock,
  yieldToEventLoop: () => setImmediate(),
});
const checks = manyChecks(checkCount);
const snapshot = snapshotOf(checks);
const measurements: Measurement[] = [];
let page: Page | undefined;

async function measureRendering(what: string, next: readonly CheckRow[]): Promise<void> {
  const nextSnapshot = snapshotOf(next);
  const before = page;
  measurements.push(
    await measure(what, 1, async () => {
      page = await renderer.render([nextSnapshot]);
      return newBytes(before, page);
    }),
  );
}

function newBytes(before: Page | undefined, after: Page): number {
  const shared = new Set(before?.chunks('text', 'identity'));
  return size(after.chunks('text', 'identity').filter((chunk) => !shared.has(chunk)));
}

function size(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((total, { length }) => total + length, 0);
}

const tested = testedAgain(checks);
const hundredth = checkCount / 100;
const spread = withDown(tested, (index) => index % 100 === 0);
const neighbours = withDown(spread, (index) => index >= hundredth && index < 2 * hundredth);
await measureRendering('render: first', checks);
await measureRendering('render: every check tested again', tested);
await measureRendering('render: 1 % down, spread evenly', spread);
await measureRendering('render: 1 % down, neighbours', neighbours);
const withNewResults = withResults(neighbours, (index) => index % 100 === 50);
await measureRendering('render: results of 1 %, spread evenly', withNewResults);
await measureRendering('render: nothing changed', withNewResults);

const metrics = new ExporterMetrics({
  build: { version: 'bench' },
  accounts: () => [
    {
      snapshot,
      budget: { mode: 'learning', windows: {}, requestsPerSecond: 1, paused: false, inFlight: 0 },
    },
  ],
  clock: systemClock,
});
const exposition = new Exposition({ renderer, metrics });
await exposition.show([snapshotOf(checks)]);
const scrape = (encoding: Encoding) => async () => size(await exposition.read('text', encoding));
measurements.push(await measure('scrape: plain', 200, scrape('identity')));
measurements.push(await measure('scrape: gzip', 200, scrape('gzip')));

const rssMegabytes = Math.round(process.memoryUsage.rss() / 1e6);

const registry = promClientRegistry(snapshot);
measurements.push(
  await measure('prom-client: plain', 2, async () => Buffer.byteLength(await registry.metrics())),
);
measurements.push(
  await measure('prom-client: gzip', 2, async () => {
    const text = await registry.metrics();
    return (await compress(text, { level: constants.Z_BEST_SPEED })).length;
  }),
);

const series = page?.series ?? 0;
report(
  process.argv[2] ?? 'bench/results/page.json',
  { checks: checkCount, series, rssMegabytes },
  measurements,
);
