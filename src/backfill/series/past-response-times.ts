import type { PastItem } from './past-item.ts';

const hourSeconds = 3_600;

interface Run {
  readonly startAtSeconds: number;
  /** Milliseconds for each hour; 0 if nothing was measured. */
  readonly values: Uint16Array;
}

/** The average response times of a check in each hour. */
export class PastResponseTimes {
  readonly #runs: readonly Run[];

  /** The runs are in order. */
  constructor(runs: NonNullable<PastItem['responseTimes']>) {
    this.#runs = runs.map(({ startAtSeconds, milliseconds }) => ({
      startAtSeconds,
      values: new Uint16Array(new Uint8Array(Buffer.from(milliseconds, 'base64')).buffer),
    }));
  }

  get isEmpty(): boolean {
    return this.#runs.length === 0;
  }

  /** The average of the last complete hour at a moment, in seconds; undefined if unmeasured. */
  lastHour(atSeconds: number): number | undefined {
    const latestStart = atSeconds - hourSeconds;
    const run = this.#runs.findLast(({ startAtSeconds }) => startAtSeconds <= latestStart);
    if (run === undefined) return undefined;
    const value = run.values[Math.floor((latestStart - run.startAtSeconds) / hourSeconds)] ?? 0;
    return value === 0 ? undefined : value / 1000;
  }
}
