import type { WindowName } from '../domain/window.ts';
import type { WindowSnapshot } from './window-ledger.ts';

/**
 * What a store keeps of a budget, as plain JSON. It holds durations, not times: whoever restores it
 * says how much time has passed. Requests in flight are counted as spent.
 */
export interface BudgetSnapshot {
  readonly windows: { readonly [W in WindowName]?: WindowSnapshot };
  /** For how long a 429 that named no window still holds every request back. */
  readonly holdSeconds: number;
  /** How many such 429s there were in a row. */
  readonly refusals: number;
  /** For how long requests that taught nothing of the limits hold back the next ones. */
  readonly owedSeconds?: number;
}
