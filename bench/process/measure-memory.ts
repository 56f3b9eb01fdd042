import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { cpuMilliseconds, forgetPeak, peakIn, peakMegabytes } from './kernel.ts';
import { largeRequestsPerHour } from './limits.ts';
import { scrape } from './scrape.ts';
import { freePorts, imageEnvironment, mainPath } from './serve.ts';

export interface MemoryFigures {
  /** The highest resident size in the first two minutes, in which the past is read. */
  readonly startMegabytes: readonly number[];
  /** The CPU of the first two minutes. */
  readonly startCpuMilliseconds: readonly number[];
  /** The requests of the first two minutes, on which their CPU depends. */
  readonly startRequests: readonly number[];
  /** The highest resident size in the minutes after that. */
  readonly laterMegabytes: readonly number[];
  readonly cpuMillisecondsPerMinute: readonly number[];
  /** The highest resident size of Node.js without a program. */
  readonly bareMegabytes: number;
}

const startSeconds = 120;
const laterSeconds = 180;
const scrapeSeconds = 15;
const token = 'token-of-the-bench';
/** Accounts of this size have a larger plan of the service. */
const largeChecks = 10_000;
const limitsOfLargeAccount = [
  `--short-limit=${largeRequestsPerHour}`,
  `--long-limit=${largeRequestsPerHour * 180}`,
];

/**
 * The memory of `serve` for the simulated account, started as in the image, with groups. The kernel
 * reports it, so that nothing is loaded into the process. The runs follow each other: together they
 * would leave each too few processors to read as much in two minutes as a user's exporter does.
 */
export async function measureMemory(checks: number, runs: number): Promise<MemoryFigures> {
  const all: Awaited<ReturnType<typeof measureRun>>[] = [];
  for (let run = 0; run < runs; run++) all.push(await measureRun(checks, await freePorts(2)));
  const ask = 'console.log(require("node:fs").readFileSync("/proc/self/status", "utf8"))';
  const bare = spawnSync(process.execPath, ['-e', ask], { env: imageEnvironment });
  return {
    startMegabytes: all.map(({ start }) => start),
    startCpuMilliseconds: all.map(({ startCpu }) => startCpu),
    startRequests: all.map(({ requests }) => requests),
    laterMegabytes: all.map(({ later }) => later),
    cpuMillisecondsPerMinute: all.map(({ cpu }) => cpu),
    bareMegabytes: peakIn(String(bare.stdout)),
  };
}

async function measureRun(checks: number, [sandboxPort = 0, port = 0]: readonly number[]) {
  const sandbox = start([
    'sandbox',
    `--port=${sandboxPort}`,
    `--token=${token}`,
    `--checks=${checks}`,
    ...(checks < largeChecks ? [] : limitsOfLargeAccount),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'bench-memory-'));
  try {
    await answers(sandboxPort);
    const listen = `--web.listen-address=127.0.0.1:${port}`;
    const file = join(folder, 'config.yaml');
    writeFileSync(join(folder, 'token'), token);
    writeFileSync(file, configuration(`http://127.0.0.1:${sandboxPort}`));
    const store = `--storage.path=${join(folder, 'store')}`;
    const exporter = start(['serve', `--config.file=${file}`, listen, store, '--log.level=error']);
    try {
      await answers(port);
      await scrapeFor(port, startSeconds);
      const pid = exporter.pid ?? 0;
      const startMegabytes = peakMegabytes(pid);
      const startCpu = cpuMilliseconds(pid);
      const requests = await requestsSent(port);
      forgetPeak(pid);
      await scrapeFor(port, laterSeconds);
      const cpu = (cpuMilliseconds(pid) - startCpu) / (laterSeconds / 60);
      return { start: startMegabytes, startCpu, requests, later: peakMegabytes(pid), cpu };
    } finally {
      await end(exporter);
    }
  } finally {
    await end(sandbox);
    rmSync(folder, { recursive: true });
  }
}

/** JSON is YAML too. */
function configuration(baseUrl: string): string {
  return JSON.stringify({
    groups: { from_tags: ['team:*'] },
    accounts: [{ name: 'main', base_url: baseUrl, token_file: 'token' }],
  });
}

async function requestsSent(port: number): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics?dataset=exporter`)).text();
  const counts = [...page.matchAll(/^uptime_exporter_api_requests_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [mainPath, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: imageEnvironment,
  });
}

/** Resolves when the port accepts connections. */
async function answers(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (answer !== undefined) return;
    await setTimeout(100);
  }
  throw new Error(`nothing listens on port ${port}`);
}

async function scrapeFor(port: number, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += scrapeSeconds) {
    await setTimeout(scrapeSeconds * 1000);
    await scrape(port, 'gzip');
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
