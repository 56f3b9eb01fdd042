import { z } from 'zod';
import { amount, optional, type TypeOf } from '../lib/schema.ts';

/** Seconds a check spent in each state during a period (API 3.1, section 2.9). */
export interface StateSeconds {
  readonly upSeconds: number;
  readonly downSeconds: number;
  readonly unknownSeconds: number;
}

const countryAverage = z.object({
  /** ISO 3166 code of the country in which the probes are. */
  countryIso: z.string(),
  responseTimeSeconds: amount,
});
export type CountryAverage = TypeOf<typeof countryAverage>;

/** The averages of a check over a period (API 3.1, section 2.9). */
export interface Average {
  /** Absent when nothing was measured, and when the averages are by country. */
  readonly responseTimeSeconds?: number;
  readonly states?: StateSeconds;
  /** Empty unless requested. */
  readonly byCountry: readonly CountryAverage[];
}

export const averageRanges = ['24h', '7d', '30d'] as const;
export type AverageRange = (typeof averageRanges)[number];

export const rangeAverageSchema = z.object({
  window: z.enum(averageRanges),
  /** The share of the monitored time that was up, from 0 to 1; absent if nothing was monitored. */
  uptimeRatio: optional.amount,
  responseTimeSeconds: optional.amount,
  /** Empty unless averages by country are enabled. */
  byCountry: z.array(countryAverage),
});
export type RangeAverage = TypeOf<typeof rangeAverageSchema>;

/** The average of one hour of the day, 0 to 23, over the days of a period. */
export const hourOfDaySchema = z.object({ hour: amount, responseTimeSeconds: amount });
export type HourOfDayAverage = TypeOf<typeof hourOfDaySchema>;

const resolutions = ['hour', 'day', 'week'] as const;

/** The length of the intervals of a performance report (API 3.1, section 4.4). */
export type Resolution = (typeof resolutions)[number];

/** The measurements of one interval (API 3.1, section 2.9), in seconds within the interval. */
export const performanceSchema = z.object({
  startAtSeconds: amount,
  /** True if the whole interval is within the period. The service also sends partial ones. */
  complete: z.boolean(),
  /** Absent when nothing was measured. */
  averageResponseTimeSeconds: optional.amount,
  upSeconds: optional.amount,
  downSeconds: optional.amount,
  unmonitoredSeconds: optional.amount,
});
export type PerformanceInterval = TypeOf<typeof performanceSchema>;
