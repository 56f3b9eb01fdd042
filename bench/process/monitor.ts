import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The use of a process and its threads: since it began, or since `watch`. */
export interface Usage {
  readonly cpuMilliseconds: number;
  readonly longestBlockMilliseconds: number;
  /** The highest resident size that the kernel saw. */
  readonly peakMegabytes: number;
  readonly residentMegabytes: number;
}

/**
 * `watch` begins to measure the longest block of the event loop. The response to `end` is the last
 * one.
 */
export type Question = 'usage' | 'watch' | 'end';

// `node --import` loads this before the program. It changes nothing that the program would notice.
const delay = monitorEventLoopDelay({ resolution: 5 });

process.on('message', (question: Question | object) => {
  if (typeof question !== 'string') return;
  const usage = usageNow();
  if (question === 'watch') {
    delay.enable();
    delay.reset();
  }
  if (question === 'end') delay.disable();
  process.send?.({ usage });
});
// The measured process ends with the bench.
process.once('disconnect', () => process.exit());
process.channel?.unref();

function usageNow(): Usage {
  const { user, system } = process.cpuUsage();
  const status = readFileSync('/proc/self/status', 'utf8');
  const megabytes = (name: string) =>
    (Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(status)?.[1]) * 1024) / 1e6;
  return {
    cpuMilliseconds: (user + system) / 1000,
    longestBlockMilliseconds: delay.max / 1e6,
    peakMegabytes: megabytes('VmHWM'),
    residentMegabytes: megabytes('VmRSS'),
  };
}
