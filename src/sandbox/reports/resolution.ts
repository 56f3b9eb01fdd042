import { day, hour, week } from './spans-of-time.ts';

export interface Resolution {
  readonly seconds: number;
  /** A time at which an interval begins: all hours and days are those of UTC, and weeks begin on Monday. */
  readonly origin: number;
  /** The longest period that can be asked about. */
  readonly longestPeriod: number;
  /** What the list of intervals is called. */
  readonly listName: string;
}

/**
 * The bounds are those documented for the performance of transactions: a week and a day by hour, six
 * months and a day by day.
 */
export const resolutions = {
  hour: { seconds: hour, origin: 0, longestPeriod: week + day, listName: 'hours' },
  day: { seconds: day, origin: 0, longestPeriod: 185 * day, listName: 'days' },
  week: {
    seconds: week,
    origin: 4 * day,
    longestPeriod: Number.POSITIVE_INFINITY,
    listName: 'weeks',
  },
} as const satisfies Record<string, Resolution>;

/** The start of the interval that holds `time`. */
export function intervalStart({ seconds, origin }: Resolution, time: number): number {
  return time - ((((time - origin) % seconds) + seconds) % seconds);
}
