import type { TalliedState } from './interval.ts';
import type { ResultStatus } from './results.ts';

export type SecondsByState = { readonly [S in TalliedState]: number };

/** What is counted of the states of one check or transaction since it was first seen. It only grows. */
export interface AvailabilityTotals {
  /** Seconds in each state; together they are the time from the start to the horizon. */
  readonly seconds: SecondsByState;
  readonly outages: number;
  /** Of the last outage that has ended. */
  readonly lastOutageDurationSeconds?: number;
  /** Seconds in each state within maintenance; absent when there has been none. */
  readonly maintenanceSeconds?: SecondsByState;
}

/** Counts of values by upper bound, as a Prometheus histogram has them. */
export interface HistogramTotals {
  /** Upper bounds in seconds, ascending, without +Inf. */
  readonly bounds: readonly number[];
  /** Values up to each bound and above the one before; the last one counts those above all bounds. */
  readonly counts: readonly number[];
  readonly sumSeconds: number;
}

/** What is counted of the raw results of one check since it was first seen. It only grows. */
export interface ResultTotals {
  readonly byStatus: { readonly [S in ResultStatus]: number };
  readonly responseTime: HistogramTotals;
  /** By ISO code of the probe's country; absent unless asked for. */
  readonly byCountry?: readonly CountryTotals[];
}

export interface CountryTotals {
  readonly countryIso: string;
  readonly results: number;
  readonly responseTimes: number;
  readonly responseTimeSumSeconds: number;
}
