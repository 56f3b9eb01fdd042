import { readFileSync, writeFileSync } from 'node:fs';

/** The kernel's numbers about a process, which need no code in the process. */

const ticksPerSecond = 100;

/** Megabytes of 2^20 bytes: the highest resident size since the start, or since `forgetPeak`. */
export function peakMegabytes(pid: number): number {
  return peakIn(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/** In the text of /proc/PID/status. */
export function peakIn(status: string): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

/** Resets the highest resident size to the present one. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** User and system time of all threads, in ticks of 10 ms. */
export function cpuMilliseconds(pid: number): number {
  // The name of the program, in parentheses, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
}
