import type { ErrorBudget } from '../../slo/error-budget.ts';
import type { Item } from './items.ts';

/** The ranges of time that views and badges show. */
export const shownRanges = ['24h', '7d', '30d'] as const;
export type ShownRange = (typeof shownRanges)[number];

export const shownRangeSeconds: { readonly [W in ShownRange]: number } = {
  '24h': 86_400,
  '7d': 7 * 86_400,
  '30d': 30 * 86_400,
};

const errorRangeOf = { '24h': '1d', '7d': '7d', '30d': '30d' } as const;

/** Returns the share of monitored time up, without maintenance; undefined if unknown. */
export function availabilityOfBudget(
  budget: ErrorBudget | undefined,
  range: ShownRange,
): number | undefined {
  const { errorRatios } = budget ?? {};
  // Shorter ranges are absent if there was no failure in 30 days.
  const errors = errorRatios?.[errorRangeOf[range]] ?? (errorRatios?.['30d'] === 0 ? 0 : undefined);
  return errors === undefined ? undefined : 1 - errors;
}

/** Returns the age of an item that was created within the range; undefined if older. */
export function youngerThan(
  { createdAtSeconds = Number.NEGATIVE_INFINITY }: Item,
  range: ShownRange,
  nowSeconds: number,
): number | undefined {
  const age = nowSeconds - createdAtSeconds;
  return age < shownRangeSeconds[range] ? Math.max(0, age) : undefined;
}
