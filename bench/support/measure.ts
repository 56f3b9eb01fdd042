import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';

export interface Measurement {
  readonly what: string;
  readonly cpuMilliseconds: number;
  readonly wallMilliseconds: number;
  /** The longest time the event loop was held. */
  readonly longestBlockMilliseconds: number;
  /** Bytes of text that were made. */
  readonly bytes: number;
}

/** What some work costs on average over several runs; `work` says how many bytes it made. */
export async function measure(
  what: string,
  runs: number,
  work: () => Promise<number>,
): Promise<Measurement> {
  globalThis.gc?.();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await setTimeout(20);
  const cpu = process.cpuUsage();
  const start = performance.now();
  let bytes = 0;
  for (let run = 0; run < runs; run++) {
    bytes = await work();
    await setImmediate();
  }
  const wallMilliseconds = (performance.now() - start) / runs;
  const { user, system } = process.cpuUsage(cpu);
  await setTimeout(20);
  delay.disable();
  return {
    what,
    cpuMilliseconds: (user + system) / 1000 / runs,
    wallMilliseconds,
    longestBlockMilliseconds: delay.max / 1e6,
    bytes,
  };
}
