import type { VirtualClock } from './virtual-clock.ts';

/**
 * A response is hanging if it takes longer than this in real time, and then as long in CPU time of
 * this process. Virtual time then advances without it. Real time alone also passes on a busy
 * machine.
 */
const longestResponseMilliseconds = 1_500;

interface QuietOptions {
  readonly clock: VirtualClock;
  /** The loops that sleep between requests, for example one of each account. */
  readonly loops: number;
  /** The fewest of them that sleep when the exporter is quiet; by default all. */
  readonly fewest?: number;
  /** Work that has no deadline, for example a write. */
  readonly isBusy?: () => boolean;
  /** Ends the wait at once. */
  readonly isOver?: () => boolean;
}

/**
 * Waits until the exporter only waits for time to pass: its loops sleep, and no request has a
 * deadline. The clock does not advance.
 */
export async function untilQuiet({
  clock,
  loops,
  fewest = loops,
  isBusy = () => false,
  isOver = () => false,
}: QuietOptions): Promise<void> {
  const since = performance.now();
  let cpuSince: number | undefined;
  const hangs = () => {
    if (performance.now() - since < longestResponseMilliseconds) return false;
    cpuSince ??= cpuMilliseconds();
    return cpuMilliseconds() - cpuSince >= longestResponseMilliseconds;
  };
  for (let quiet = 0; quiet < 3 && !hangs() && !isOver(); ) {
    await new Promise(setImmediate);
    const areAsleep = clock.sleepers >= fewest && clock.sleepers <= loops;
    quiet = !isBusy() && areAsleep ? quiet + 1 : 0;
  }
}

function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
