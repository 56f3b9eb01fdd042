import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

const samplePeriodMilliseconds = 10;

/** What this process spends from `start` to `stop`, its threads included. */
export class Meter {
  readonly #delay = monitorEventLoopDelay({ resolution: 1 });
  #cpu = process.cpuUsage();
  #peakRss = 0;
  #sampler: NodeJS.Timeout | undefined;

  async start(): Promise<void> {
    globalThis.gc?.();
    this.#delay.enable();
    await setTimeout(2 * samplePeriodMilliseconds);
    this.#delay.reset();
    this.#peakRss = process.memoryUsage.rss();
    this.#sampler = setInterval(() => {
      this.#peakRss = Math.max(this.#peakRss, process.memoryUsage.rss());
    }, samplePeriodMilliseconds);
    this.#cpu = process.cpuUsage();
  }

  async stop() {
    const { user, system } = process.cpuUsage(this.#cpu);
    await setTimeout(2 * samplePeriodMilliseconds);
    clearInterval(this.#sampler);
    this.#delay.disable();
    return {
      cpuMilliseconds: (user + system) / 1000,
      longestBlockMilliseconds: this.#delay.max / 1e6,
      rssMegabytes: process.memoryUsage.rss() / 1e6,
      peakRssMegabytes: this.#peakRss / 1e6,
    };
  }
}
