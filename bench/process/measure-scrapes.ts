import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Measured } from './measured.ts';
import { type Prepared, requestsPerHour, serveAtRest } from './prepare.ts';
import { scrape } from './scrape.ts';

export interface ScrapeFigures {
  readonly series: number;
  readonly plainBytes: number;
  readonly gzipBytes: number;
  /** CPU of one gzip scrape; scrapes follow each other, and the exporter is otherwise idle. */
  readonly cpuMilliseconds: readonly number[];
  readonly bareMilliseconds: readonly number[];
  /** CPU in each second of an idle process. */
  readonly restMilliseconds: readonly number[];
  /**
   * CPU of one response about one check at the rate of a plan of the service: counted, stored,
   * shown. The CPU of an idle process is subtracted.
   */
  readonly answerMilliseconds: readonly number[];
  /** CPU of one gzip scrape, at two scrapes a second, while responses arrive. */
  readonly busyMilliseconds: readonly number[];
  readonly busyBareMilliseconds: readonly number[];
  /** The exporter's own metrics only. */
  readonly ownMilliseconds: readonly number[];
  readonly promClientMilliseconds: readonly number[];
  /** Empty if Go is not installed. */
  readonly goMilliseconds: readonly number[];
}

const repeats = 60;
const phaseSeconds = 10;

/**
 * Scrapes of the exporter, of a server with the same bytes, and of other libraries with the same
 * page.
 */
export async function measureScrapes(
  prepared: Prepared,
  { runs, compare }: { readonly runs: number; readonly compare: boolean },
): Promise<ScrapeFigures> {
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
  const restMilliseconds: number[] = [];
  for (let run = 0; run < runs; run++) {
    cpuMilliseconds.push(await inTurn(process.measured, process.port));
    bareMilliseconds.push(await inTurn(bare, barePort));
    ownMilliseconds.push(await inTurn(process.measured, process.port, '?dataset=exporter'));
    const rest = await phase(prepared, process.measured);
    restMilliseconds.push(rest.cpuMilliseconds / phaseSeconds);
  }
  await process.measured.end();
  const busy = await measureBusy(prepared, bare, barePort, restMilliseconds);
  await bare.end();
  return {
    ...page,
    cpuMilliseconds,
    bareMilliseconds,
    ownMilliseconds,
    restMilliseconds,
    ...busy,
    promClientMilliseconds: compare ? await promClient(file) : [],
    goMilliseconds: compare ? await goClient(file) : [],
  };
}

async function inTurn(measured: Measured, port: number, query = ''): Promise<number> {
  for (let warm = 0; warm < 5; warm++) await scrape(port, 'gzip', undefined, query);
  const before = await measured.usage();
  for (let run = 0; run < repeats; run++) await scrape(port, 'gzip', undefined, query);
  return ((await measured.usage()).cpuMilliseconds - before.cpuMilliseconds) / repeats;
}

/** The exporter while responses arrive, with scrapes and without. */
async function measureBusy(
  prepared: Prepared,
  bare: Measured,
  barePort: number,
  restMilliseconds: readonly number[],
) {
  const process = await serveAtRest(prepared, ['results']);
  await setTimeout(5_000);
  const answerMilliseconds: number[] = [];
  const busyMilliseconds: number[] = [];
  const busyBareMilliseconds: number[] = [];
  for (const rest of restMilliseconds) {
    const quiet = await phase(prepared, process.measured);
    answerMilliseconds.push((quiet.cpuMilliseconds - rest * phaseSeconds) / quiet.answers);
    const busy = await phase(prepared, process.measured, process.port);
    const perAnswer = quiet.cpuMilliseconds / quiet.answers;
    busyMilliseconds.push((busy.cpuMilliseconds - busy.answers * perAnswer) / busy.scrapes);
    const served = await phase(prepared, bare, barePort);
    busyBareMilliseconds.push(served.cpuMilliseconds / served.scrapes);
  }
  await process.measured.end();
  return { answerMilliseconds, busyMilliseconds, busyBareMilliseconds };
}

/** Some seconds without a list in them. */
async function phase(prepared: Prepared, measured: Measured, port?: number) {
  for (;;) {
    const counts = await prepared.order('none', requestsPerHour);
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
    const now = await prepared.order('none', requestsPerHour);
    if (now.lists > counts.lists && prepared.accounts === 1) continue;
    const cpuMilliseconds = after.cpuMilliseconds - before.cpuMilliseconds;
    return { cpuMilliseconds, answers: now.others - counts.others, scrapes };
  }
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

async function promClient(file: string): Promise<number[]> {
  const server = new Measured({
    script: join(import.meta.dirname, 'prom-client-server.js'),
    arguments: [file],
    nodeFlags: ['--max-old-space-size=6000'],
  });
  const { port } = await server.ready();
  await scrape(port, 'gzip');
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const before = await server.usage();
    await scrape(port, 'gzip');
    times.push((await server.usage()).cpuMilliseconds - before.cpuMilliseconds);
  }
  await server.end();
  return times;
}

async function goClient(file: string): Promise<number[]> {
  const program = join(import.meta.dirname, '../../../bench/results/go-exporter');
  const source = join(import.meta.dirname, '../../../bench/go-exporter');
  mkdirSync(join(program, '..'), { recursive: true });
  const built = spawnSync('go', ['build', '-o', program, '.'], { cwd: source });
  if (built.status !== 0 || !existsSync(program)) return [];
  const server = spawn(program, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  const port = Number(String(line));
  await scrape(port, 'gzip');
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const before = kernelMilliseconds(server);
    await scrape(port, 'gzip');
    times.push(kernelMilliseconds(server) - before);
  }
  server.kill();
  await once(server, 'exit');
  return times;
}

/** CPU of a process without a monitor, in the kernel's ticks of 10 ms. */
function kernelMilliseconds({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')'))
    .split(' ')
    .slice(12, 14)
    .map(Number);
  return 10 * (user + system);
}
