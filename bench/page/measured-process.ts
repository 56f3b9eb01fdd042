import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Page } from '../../src/exposition/page/page.ts';
import { createApp } from '../../src/http/server/create-app.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { Meter } from './meter.ts';
import { promClientRegistry } from './prom-client-registry.ts';
import type { Order, Report } from './protocol.ts';
import { type Stage, WatchedChecks } from './watched-checks.ts';

/** The process that is measured: it does what its parent tells it, and says what it took. */
const compress = promisify(gzip);
const meter = new Meter();
let checks: WatchedChecks | undefined;
let former: Page | undefined;

process.on('message', (order: Order) => {
  void obey(order).then((report) => process.send?.(report));
});

async function obey(order: Order): Promise<Report> {
  switch (order.order) {
    case 'open':
      checks = await WatchedChecks.open(order.path);
      return {};
    case 'refresh':
      return refresh(order.files, order.minute);
    case 'book results':
      await watched().bookResults();
      former = await watched().page();
      return {};
    case 'restore':
      await watched().restore();
      await watched().show();
      return {};
    case 'serve exporter':
      return { port: await listen(exporterApp(watched())) };
    case 'serve prom-client':
      return { port: await listen(promClientApp(watched())) };
    case 'serve bytes':
      return { port: await listen(bytesApp(order.plain, order.gzip)) };
    case 'start measuring':
      await meter.start();
      return {};
    case 'stop measuring':
      return meter.stop();
  }
}

function watched(): WatchedChecks {
  if (checks === undefined) throw new Error('no store is open');
  return checks;
}

async function refresh(files: readonly string[], minute: number): Promise<Report> {
  const bodies = files.map((file) => readFileSync(file));
  const parseMilliseconds = parsingTime(bodies);
  const stages: { [S in Stage]?: number } = {};
  await meter.start();
  let cpu = process.cpuUsage();
  await watched().refresh(bodies, minute, (stage) => {
    const { user, system } = process.cpuUsage(cpu);
    stages[stage] = (stages[stage] ?? 0) + (user + system) / 1000;
    cpu = process.cpuUsage();
  });
  const spent = await meter.stop();
  const page = await watched().page();
  const shared = new Set(former?.blocks('text'));
  const rendered = page.blocks('text').filter((block) => !shared.has(block));
  former = page;
  return {
    ...spent,
    stages,
    parseMilliseconds,
    bodyBytes: bodies.reduce((sum, { length }) => sum + length, 0),
    renderedBytes: rendered.reduce((sum, { length }) => sum + length, 0),
    pageBytes: page.bytes.identity,
    gzipBytes: page.bytes.gzip,
    series: page.series,
  };
}

/** CPU of `JSON.parse` of the bodies, the mean of three runs. */
function parsingTime(bodies: readonly Buffer[]): number {
  const texts = bodies.map(String);
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  for (let run = 0; run < 3; run++) for (const text of texts) JSON.parse(text);
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1000 / 3;
}

type Handler = Parameters<typeof createServer>[1];

async function listen(handler: Handler): Promise<number> {
  const server = createServer(handler);
  // The one that scrapes can be busy for a while between two scrapes.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function exporterApp(source: WatchedChecks) {
  return createApp({
    metrics: source.exposition,
    status: { accounts: () => [] },
    health: { alive: () => true, ready: () => true },
    telemetryPath: '/metrics',
    maxRequests: 0,
    version: 'bench',
    clock: systemClock,
  });
}

/** What an exporter of the usual kind does: the registry's text, compressed when asked. */
function promClientApp(source: WatchedChecks): Handler {
  const registry = promClientRegistry(source.snapshot());
  return async (request, response) => {
    const text = await registry.metrics();
    if (request.headers['accept-encoding'] === 'gzip') {
      response.setHeader('Content-Encoding', 'gzip');
      response.end(await compress(text, { level: constants.Z_BEST_SPEED }));
    } else response.end(text);
  };
}

/** The least that a server can do. */
function bytesApp(plainFile: string, gzipFile: string): Handler {
  const [plain, compressed] = [readFileSync(plainFile), readFileSync(gzipFile)];
  return (request, response) => {
    response.end(request.headers['accept-encoding'] === 'gzip' ? compressed : plain);
  };
}
