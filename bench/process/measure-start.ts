import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import type { Prepared } from './prepare.ts';
import { mainPath } from './serve.ts';

export interface StartFigures {
  /** From the start of the command to the end of the first full scrape. */
  readonly gracefulMilliseconds: readonly number[];
  readonly gracefulCpuMilliseconds: readonly number[];
  readonly killedMilliseconds: readonly number[];
  readonly killedCpuMilliseconds: readonly number[];
  readonly helpCpuMilliseconds: readonly number[];
}

/** Starts of the real command, after a graceful stop and after a kill. */
export async function measureStart(prepared: Prepared, runs: number): Promise<StartFigures> {
  const figures = { wall: [[], []] as number[][], cpu: [[], []] as number[][] };
  const fullBytes = prepared.gzipBytes * 0.95;
  let exporter = await prepared.folder.serve(prepared.options([]));
  await exporter.fullScrape(fullBytes);
  for (let run = 0; run < runs; run++) {
    for (const [kind, signal] of (['SIGTERM', 'SIGKILL'] as const).entries()) {
      await setTimeout(3_000);
      await exporter.measured.quiet();
      await exporter.measured.end(signal);
      exporter = await prepared.folder.serve(prepared.options([]));
      figures.wall[kind]?.push(await exporter.fullScrape(fullBytes));
      figures.cpu[kind]?.push((await exporter.measured.usage()).cpuMilliseconds);
    }
  }
  await exporter.measured.end();
  const [graceful = [], killed = []] = figures.wall;
  const [gracefulCpu = [], killedCpu = []] = figures.cpu;
  const help: number[] = [];
  for (let run = 0; run < runs; run++) help.push(helpCpu());
  return {
    gracefulMilliseconds: graceful,
    gracefulCpuMilliseconds: gracefulCpu,
    killedMilliseconds: killed,
    killedCpuMilliseconds: killedCpu,
    helpCpuMilliseconds: help,
  };
}

/** User and system time as the shell reports them, without a monitor. */
function helpCpu(): number {
  const command = 'TIMEFORMAT="%U %S"; time "$0" "$1" --help >/dev/null';
  const { stderr } = spawnSync('bash', ['-c', command, process.execPath, mainPath]);
  const [user = 0, system = 0] = String(stderr).trim().split(' ').map(Number);
  return (user + system) * 1000;
}
