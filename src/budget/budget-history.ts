import { type WindowName, windowNames } from '../domain/rate-limit.ts';
import type { BudgetView } from './budget-view.ts';

/** What was left of a window at a time. */
export interface BudgetSample {
  /** UNIX seconds. */
  readonly atSeconds: number;
  readonly remaining: number;
}

export type BudgetSamples = { readonly [W in WindowName]: readonly BudgetSample[] };

/** Samples are thinned so that a window has no more than this many. */
const maxSamples = 120;

/** What was left of each window since it began, for people to look at. */
export class BudgetHistory {
  readonly #samples: { readonly [W in WindowName]: BudgetSample[] } = { short: [], long: [] };

  /** To be called after every answer. */
  record({ windows }: Pick<BudgetView, 'windows'>, atSeconds: number): void {
    for (const name of windowNames) {
      const window = windows[name];
      if (window === undefined) continue;
      const samples = this.#samples[name];
      const last = samples.at(-1);
      // A window that has been reset begins anew, full.
      if (last !== undefined && window.remaining > last.remaining + window.limit / 2) {
        samples.length = 0;
      }
      if (last !== undefined && last.atSeconds === atSeconds) samples.pop();
      samples.push({ atSeconds, remaining: window.remaining });
      if (samples.length > maxSamples) thin(samples);
    }
  }

  read(): BudgetSamples {
    return { short: [...this.#samples.short], long: [...this.#samples.long] };
  }
}

/** Every other sample is dropped; the first and the last stay. */
function thin(samples: BudgetSample[]): void {
  const kept = samples.filter((_, place) => place % 2 === 0 || place === samples.length - 1);
  samples.splice(0, samples.length, ...kept);
}
