/** Seconds a check spent in each state during a period (API 3.1, section 2.9). */
export interface StateSeconds {
  readonly upSeconds: number;
  readonly downSeconds: number;
  readonly unknownSeconds: number;
}

export interface CountryAverage {
  /** ISO 3166 code of the country in which the probes are. */
  readonly countryIso: string;
  readonly responseTimeSeconds: number;
}

/** The averages of a check over a period (API 3.1, section 2.9). */
export interface Average {
  /** Absent when nothing was measured, and when the averages are by country. */
  readonly responseTimeSeconds?: number;
  readonly states?: StateSeconds;
  /** Empty unless requested. */
  readonly byCountry: readonly CountryAverage[];
}

/** The average of one hour of the day, 0 to 23, over the days of a period. */
export interface HourOfDayAverage {
  readonly hour: number;
  readonly responseTimeSeconds: number;
}

const resolutions = ['hour', 'day', 'week'] as const;

/** The length of the intervals of a performance report (API 3.1, section 4.4). */
export type Resolution = (typeof resolutions)[number];

/** The measurements of one interval (API 3.1, section 2.9), in seconds within the interval. */
export interface PerformanceInterval {
  readonly startAtSeconds: number;
  /** True if the whole interval is within the period. The service also sends partial ones. */
  readonly complete: boolean;
  /** Absent when nothing was measured. */
  readonly averageResponseTimeSeconds?: number;
  readonly upSeconds?: number;
  readonly downSeconds?: number;
  readonly unmonitoredSeconds?: number;
}
