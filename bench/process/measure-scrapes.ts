import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Measured } from './measured.ts';
import { median } from './median.ts';
import { type Prepared, serveAtRest } from './prepare.ts';
import { scrape } from './scrape.ts';

export interface ScrapeFigures {
  readonly series: number;
  readonly plainBytes: number;
  readonly gzipBytes: number;
  /** CPU of one gzip scrape; scrapes follow each other, and the exporter is otherwise idle. */
  readonly cpuMilliseconds: readonly number[];
  readonly bareMilliseconds: readonly number[];
  /** CPU of an idle process in each of some seconds. */
  readonly restMilliseconds: readonly number[];
  /**
   * CPU of one response about one check at the rate of a plan of the service: counted, stored,
   * shown. The CPU of an idle process is subtracted.
   */
  readonly responseMilliseconds: readonly number[];
  /** CPU of one gzip scrape, at two scrapes a second, while responses arrive. */
  readonly busyMilliseconds: readonly number[];
  readonly busyBareMilliseconds: readonly number[];
  /** The exporter's own metrics only. */
  readonly ownMilliseconds: readonly number[];
}

const repeats = 60;
const phaseSeconds = 45;
const restSeconds = 20;
/** A list that was requested is read, stored and shown by then. */
const listSeconds = 5;

/** Scrapes of the exporter, and of a server with the same bytes. */
export async function measureScrapes(prepared: Prepared, runs: number): Promise<ScrapeFigures> {
  const file = join(prepared.folder.path, 'page.gz');
  const process = await serveAtRest(prepared, []);
  const page = await savedPage(process.port, file);
  const bare = new Measured({
    script: join(import.meta.dirname, 'bytes-server.js'),
    arguments: [file],
  });
  const { port: barePort } = await bare.ready();
  const cpuMilliseconds: number[] = [];
  const bareMilliseconds: number[] = [];
  const ownMilliseconds: number[] = [];
  const restMilliseconds = await atRest(process.measured);
  for (let run = 0; run < runs; run++) {
    cpuMilliseconds.push(await inTurn(process.measured, process.port));
    bareMilliseconds.push(await inTurn(bare, barePort));
    ownMilliseconds.push(await inTurn(process.measured, process.port, '?dataset=exporter'));
  }
  await process.measured.end();
  const rest = median(restMilliseconds);
  const busy = await measureBusy(prepared, { bare, barePort, runs, restMilliseconds: rest });
  await bare.end();
  return {
    ...page,
    cpuMilliseconds,
    bareMilliseconds,
    ownMilliseconds,
    restMilliseconds,
    ...busy,
  };
}

async function inTurn(measured: Measured, port: number, query = ''): Promise<number> {
  for (let warm = 0; warm < 5; warm++) await scrape(port, 'gzip', undefined, query);
  const before = await measured.usage();
  for (let run = 0; run < repeats; run++) await scrape(port, 'gzip', undefined, query);
  return ((await measured.usage()).cpuMilliseconds - before.cpuMilliseconds) / repeats;
}

/** A collection of what was garbage before belongs to few of these seconds. */
async function atRest(measured: Measured): Promise<number[]> {
  await measured.quiet();
  const seconds: number[] = [];
  for (let second = 0; second < restSeconds; second++) {
    const before = await measured.usage();
    await setTimeout(1_000);
    seconds.push((await measured.usage()).cpuMilliseconds - before.cpuMilliseconds);
  }
  return seconds;
}

interface BusyOptions {
  readonly bare: Measured;
  readonly barePort: number;
  readonly runs: number;
  readonly restMilliseconds: number;
}

/** The exporter while responses arrive, with scrapes and without. */
async function measureBusy(
  prepared: Prepared,
  { bare, barePort, runs, restMilliseconds }: BusyOptions,
) {
  const process = await serveAtRest(prepared, ['results']);
  await setTimeout(5_000);
  const responseMilliseconds: number[] = [];
  const busyMilliseconds: number[] = [];
  const busyBareMilliseconds: number[] = [];
  for (let run = 0; run < runs; run++) {
    const quiet = await phase(prepared, process.measured);
    const ofResponses = quiet.cpuMilliseconds - restMilliseconds * phaseSeconds;
    responseMilliseconds.push(ofResponses / quiet.answers);
    const busy = await phase(prepared, process.measured, process.port);
    const perResponse = quiet.cpuMilliseconds / quiet.answers;
    busyMilliseconds.push((busy.cpuMilliseconds - busy.answers * perResponse) / busy.scrapes);
    const served = await phase(prepared, bare, barePort);
    busyBareMilliseconds.push(served.cpuMilliseconds / served.scrapes);
  }
  await process.measured.end();
  return { responseMilliseconds, busyMilliseconds, busyBareMilliseconds };
}

/**
 * Measures `phaseSeconds` in which no list is read, nor in the `listSeconds` before them. With several
 * accounts, lists are not avoided.
 */
async function phase(prepared: Prepared, measured: Measured, port?: number) {
  const { lists } = await prepared.order('none');
  // Lists are requested once a minute, so the next one is late enough.
  while (prepared.accounts === 1) {
    if ((await prepared.order('none')).lists > lists) break;
    await setTimeout(500);
  }
  await setTimeout(listSeconds * 1000);
  const earlier = await prepared.order('none');
  const before = await measured.usage();
  let scrapes = 0;
  const until = performance.now() + phaseSeconds * 1000;
  while (performance.now() < until) {
    await setTimeout(500);
    if (port === undefined) continue;
    await scrape(port, 'gzip');
    scrapes++;
  }
  const after = await measured.usage();
  const later = await prepared.order('none');
  const cpuMilliseconds = after.cpuMilliseconds - before.cpuMilliseconds;
  return { cpuMilliseconds, answers: later.others - earlier.others, scrapes };
}

async function savedPage(port: number, file: string) {
  const stream = createWriteStream(file);
  const { bytes } = await scrape(port, 'gzip', (chunk) => stream.write(chunk));
  await new Promise<void>((resolve) => stream.end(resolve));
  let plainBytes = 0;
  let own = '';
  await scrape(port, 'identity', (chunk) => (plainBytes += chunk.length));
  await scrape(port, 'identity', (chunk) => (own += chunk.toString()), '?dataset=exporter');
  const series = Number(/^uptime_exporter_series (\d+)$/m.exec(own)?.[1]);
  return { series, plainBytes, gzipBytes: bytes };
}
