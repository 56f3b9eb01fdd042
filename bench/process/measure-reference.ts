import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { cpuMilliseconds, forgetPeak, peakMegabytes } from './kernel.ts';
import { type Prepared, serveAtRest } from './prepare.ts';
import { scrape } from './scrape.ts';

export type Program = 'exporter' | 'client_golang' | 'prom-client';

/** A program at one rate of scrapes, with one number for each minute. */
export interface ProgramMinutes {
  readonly cpuMilliseconds: readonly number[];
  /** The highest resident size. */
  readonly peakMegabytes: readonly number[];
}

export interface ReferenceRate {
  readonly scrapesPerMinute: number;
  /** Without the Go program if Go is not installed. */
  readonly programs: { readonly [P in Program]?: ProgramMinutes };
}

export interface ReferenceFigures {
  readonly series: { readonly [P in Program]?: number };
  readonly rates: readonly ReferenceRate[];
}

interface Running {
  readonly program: Program;
  readonly pid: number;
  readonly port: number;
  end(): Promise<void>;
}

const rates = [1, 4];
const secondsPerMinute = 60;

/**
 * A running exporter, and reference programs that read the same list and render the same series.
 * They run at the same time, and each is scraped at another time.
 */
export async function measureReference(
  prepared: Prepared,
  runs: number,
): Promise<ReferenceFigures> {
  const ours = await serveAtRest(prepared, ['results']);
  const { servicePort } = prepared.options([]);
  const pageFile = join(prepared.folder.path, 'reference.gz');
  const stream = createWriteStream(pageFile);
  await scrape(ours.port, 'gzip', (chunk) => stream.write(chunk));
  await new Promise<void>((resolve) => stream.end(resolve));
  const running: Running[] = [
    {
      program: 'exporter',
      pid: ours.measured.pid,
      port: ours.port,
      end: () => ours.measured.end(),
    },
  ];
  try {
    // Each has its own account, whose lists differ from one to the next.
    const service = (account: number) => `http://127.0.0.1:${servicePort}/${account}`;
    const go = goCommand();
    if (go !== undefined) {
      running.push(await start('client_golang', [...go, service(1), pageFile]));
    }
    running.push(await start('prom-client', [...nodeCommand(), service(2), pageFile]));
    const series = await seriesOf(running);
    const rates = await measureRates(running, runs);
    // Rejects if the service has ended, without which no program has work.
    await prepared.order('all');
    return { series, rates };
  } finally {
    await Promise.all(running.map(({ end }) => end()));
  }
}

/**
 * Measures a minute of each rate, and then again in the opposite order: a program changes with the
 * time since its start. Every program is scraped this often in a minute, evenly, and never at the
 * same time as another.
 */
async function measureRates(running: readonly Running[], runs: number): Promise<ReferenceRate[]> {
  // At first, code is compiled and the exporter reads the past.
  await setTimeout(secondsPerMinute * 1000);
  const measured = new Map(rates.map((rate) => [rate, new Map<Program, Minute[]>()]));
  for (let run = 0; run < runs; run++) {
    for (const rate of run % 2 === 0 ? rates : rates.toReversed()) {
      const minutes = await Promise.all(
        running.map(async (one, place) => {
          const offset = (place * secondsPerMinute) / rate / running.length;
          await setTimeout(offset * 1000);
          return [one.program, await measureMinute(one, rate)] as const;
        }),
      );
      for (const [program, minute] of minutes) {
        const before = measured.get(rate)?.get(program) ?? [];
        measured.get(rate)?.set(program, [...before, minute]);
      }
    }
  }
  return [...measured].map(([scrapesPerMinute, programs]) => ({
    scrapesPerMinute,
    programs: Object.fromEntries(
      [...programs].map(([program, minutes]) => [
        program,
        {
          cpuMilliseconds: minutes.map(({ cpuMilliseconds }) => cpuMilliseconds),
          peakMegabytes: minutes.map(({ peakMegabytes }) => peakMegabytes),
        },
      ]),
    ),
  }));
}

interface Minute {
  readonly cpuMilliseconds: number;
  readonly peakMegabytes: number;
}

async function measureMinute({ pid, port }: Running, scrapesPerMinute: number): Promise<Minute> {
  forgetPeak(pid);
  const began = performance.now();
  const before = cpuMilliseconds(pid);
  for (let scrapes = 1; scrapes <= scrapesPerMinute; scrapes++) {
    await scrape(port, 'gzip');
    const next = began + (scrapes * secondsPerMinute * 1000) / scrapesPerMinute;
    await setTimeout(Math.max(0, next - performance.now()));
  }
  return { cpuMilliseconds: cpuMilliseconds(pid) - before, peakMegabytes: peakMegabytes(pid) };
}

async function seriesOf(running: readonly Running[]): Promise<ReferenceFigures['series']> {
  const counts: { [P in Program]?: number } = {};
  for (const { program, port } of running) counts[program] = await seriesAt(port);
  return counts;
}

/** The lines of a page except comments. */
async function seriesAt(port: number): Promise<number> {
  const plain = createGunzip();
  const read = scrape(port, 'gzip', (chunk) => plain.write(chunk)).then(() => plain.end());
  let series = 0;
  for await (const line of createInterface({ input: plain })) if (!line.startsWith('#')) series++;
  await read;
  return series;
}

async function start(program: Program, command: readonly string[]): Promise<Running> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { program, pid: child.pid ?? 0, port: Number(String(line)), end: () => ended(child) };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}

/** Undefined if Go is not installed. */
function goCommand(): readonly string[] | undefined {
  const root = join(import.meta.dirname, '../../..');
  const program = join(root, 'bench/results/client-golang');
  mkdirSync(dirname(program), { recursive: true });
  const cwd = join(root, 'bench/reference/client-golang');
  const { status } = spawnSync('go', ['build', '-o', program, '.'], { cwd, stdio: 'inherit' });
  return status === 0 ? [program] : undefined;
}

function nodeCommand(): readonly string[] {
  return [process.execPath, join(import.meta.dirname, '../reference/prom-client.js')];
}
