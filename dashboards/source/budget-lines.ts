import { colours } from './colours.ts';
import type { Query } from './panel.ts';
import { each, eachAccount, ofAccount, total } from './selectors.ts';

/** Of burn rates: from those that page at once to that of a slow leak. */
export const alertWindows = 'window=~"5m|1h|6h|1d|3d"';

const month = 30 * 86_400;

/**
 * A budget of 30 days that is full at the beginning of the time shown and is spent evenly: to
 * nothing after 30 days, and by hardly anything within an hour.
 */
export const spentEvenly: Query = {
  // Grafana puts in the beginning of the time shown, in milliseconds.
  expr: `vector(1 - (time() - $__from / 1000) / ${month})`,
  legend: 'spent evenly',
  color: colours.neutral,
  stroke: 'dash',
};

/**
 * Only while the budgets of nine in ten checks are known. After the first start the past of checks
 * that have failed is read last, so that counts and means of the others would look too well.
 */
export const onceKnown = (expression: string): string =>
  `${expression}
and on () (count(${each(ofAccount('uptime_check_error_budget_remaining_ratio'))})
  >= 0.9 * ${total(eachAccount(ofAccount('uptime_checks', 'status=~"up|down|unconfirmed_down"'), 'check_type', 'status'))})`;
