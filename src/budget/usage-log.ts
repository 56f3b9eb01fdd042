import { type WindowName, windowNames } from '../domain/rate-limit.ts';
import type { BudgetView } from './budget-view.ts';

/** The remaining requests of a window at one time. */
export interface UsageSample {
  /** UNIX seconds. */
  readonly atSeconds: number;
  readonly remaining: number;
}

export type UsageSamples = { readonly [W in WindowName]: readonly UsageSample[] };

/** Samples are thinned so that a window has at most this many. */
const maxSamples = 120;

/** The end of a window is known to within a request. A later end is that of the next window. */
const sameEndSeconds = 60;

/** Samples of the remaining requests of each window, for the chart on the status page. */
export class UsageLog {
  readonly #samples: { readonly [W in WindowName]: UsageSample[] } = { short: [], long: [] };
  /** The end of the window of the last sample, in UNIX seconds. */
  readonly #endSeconds: { [W in WindowName]?: number } = {};

  /** Call this after every response. */
  record({ windows }: Pick<BudgetView, 'windows'>, atSeconds: number): void {
    for (const name of windowNames) {
      const window = windows[name];
      if (window === undefined) continue;
      const samples = this.#samples[name];
      const endSeconds = atSeconds + window.resetSeconds;
      const { [name]: knownEndSeconds = endSeconds } = this.#endSeconds;
      if (endSeconds > knownEndSeconds + sameEndSeconds) samples.length = 0;
      this.#endSeconds[name] = endSeconds;
      if (samples.at(-1)?.atSeconds === atSeconds) samples.pop();
      samples.push({ atSeconds, remaining: window.remaining });
      if (samples.length > maxSamples) thin(samples);
    }
  }

  read(): UsageSamples {
    return { short: [...this.#samples.short], long: [...this.#samples.long] };
  }
}

/** Drops every other sample, but keeps the first and the last. */
function thin(samples: UsageSample[]): void {
  const kept = samples.filter((_, place) => place % 2 === 0 || place === samples.length - 1);
  samples.splice(0, samples.length, ...kept);
}
