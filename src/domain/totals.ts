import type { TalliedState } from './interval.ts';
import type { ResultStatus } from './results.ts';

export type SecondsByState = { readonly [S in TalliedState]: number };

/** The totals of the states of one item since it was first seen. They never decrease. */
export interface AvailabilityTotals {
  /** Seconds in each state. Their sum is the time from the start to the horizon. */
  readonly seconds: SecondsByState;
  readonly outages: number;
  /** The duration of the last outage that has ended. */
  readonly lastOutageDurationSeconds?: number;
  /** Seconds in each state during maintenance; absent when there was no maintenance. */
  readonly maintenanceSeconds?: SecondsByState;
}

/** A histogram as in Prometheus, but with one count per bucket instead of cumulative counts. */
export interface HistogramTotals {
  /** Upper bounds in seconds, ascending, without +Inf. */
  readonly bounds: readonly number[];
  /** Values above the previous bound, up to this one. The last count is above all bounds. */
  readonly counts: readonly number[];
  readonly sumSeconds: number;
}

/** The totals of the raw results of one check since it was first seen. They never decrease. */
export interface ResultTotals {
  readonly byStatus: { readonly [S in ResultStatus]: number };
  readonly responseTime: HistogramTotals;
  /** One entry per country, by the ISO code of the probe's country. Absent unless configured. */
  readonly byCountry?: readonly CountryTotals[];
}

export interface CountryTotals {
  readonly countryIso: string;
  readonly results: number;
  readonly responseTimes: number;
  readonly responseTimeSumSeconds: number;
}
