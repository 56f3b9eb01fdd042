import { colours } from './colours.ts';
import type { Query } from './panel.ts';
import { each, eachAccount, ofAccount } from './selectors.ts';

/** From what happens now to what the alerts read. */
export const burnWindows = 'window=~"1h|1d|3d|30d"';

const month = 30 * 86_400;

/**
 * A 30-day budget that is full at the start of the time range and is spent evenly. Over 30 days it
 * falls to 0, over an hour it stays nearly full.
 */
export const spentEvenly: Query = {
  // Grafana replaces `$__from` with the start of the time range in milliseconds.
  expr: `vector(1 - (time() - $__from / 1000) / ${month})`,
  legend: 'spent evenly',
  color: colours.neutral,
  stroke: 'dash',
};

/**
 * The value once the budgets of nine in ten checks are known. After the first start, the past of
 * checks that have failed is read last, so earlier counts and means would look too good.
 */
export const onceKnown = (expression: string): string =>
  `${expression}
and on () (count(${each(ofAccount('uptime_check_error_budget_remaining_ratio'))})
  >= 0.9 * sum(${eachAccount(ofAccount('uptime_checks', 'status=~"up|down|unconfirmed_down"'), 'check_type', 'status')}))`;
