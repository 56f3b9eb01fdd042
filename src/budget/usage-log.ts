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

/** The remaining requests of each window since it began, for the chart on the status page. */
export class UsageLog {
  readonly #samples: { readonly [W in WindowName]: UsageSample[] } = { short: [], long: [] };

  /** Call this after every response. */
  record({ windows }: Pick<BudgetView, 'windows'>, atSeconds: number): void {
    for (const name of windowNames) {
      const window = windows[name];
      if (window === undefined) continue;
      const samples = this.#samples[name];
      const last = samples.at(-1);
      // More remaining requests mean that the window was reset: it starts again, full.
      if (last !== undefined && window.remaining > last.remaining + window.limit / 2) {
        samples.length = 0;
      }
      if (last !== undefined && last.atSeconds === atSeconds) samples.pop();
      samples.push({ atSeconds, remaining: window.remaining });
      if (samples.length > maxSamples) thin(samples);
    }
  }

  read(): UsageSamples {
    return { short: [...this.#samples.short], long: [...this.#samples.long] };
  }
}

/** Every other sample is dropped; the first and the last stay. */
function thin(samples: UsageSample[]): void {
  const kept = samples.filter((_, place) => place % 2 === 0 || place === samples.length - 1);
  samples.splice(0, samples.length, ...kept);
}
