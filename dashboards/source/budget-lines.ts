import { colours } from './colours.ts';
import type { Query } from './panel.ts';

/** Of burn rates: from those that page at once to that of a slow leak. */
export const alertWindows = 'window=~"5m|1h|6h|1d|3d"';

const month = 30 * 86_400;

/**
 * A budget of 30 days that is full at the beginning of the time shown and is spent evenly: to nothing after
 * 30 days, and by hardly anything within an hour.
 */
export const spentEvenly: Query = {
  // Grafana puts in the beginning of the time shown, in milliseconds.
  expr: `vector(1 - (time() - $__from / 1000) / ${month})`,
  legend: 'spent evenly',
  color: colours.neutral,
  stroke: 'dash',
};
