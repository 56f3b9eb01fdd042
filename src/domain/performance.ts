export const resolutions = ['hour', 'day', 'week'] as const;

/** The length of the intervals of a performance report (API 3.1, section 4.4). */
export type Resolution = (typeof resolutions)[number];

/** What was measured in one interval (API 3.1, section 2.9). Seconds within the interval. */
export interface PerformanceInterval {
  readonly startAtSeconds: number;
  /** True when the whole interval lies in the period asked for: the service also reports partial ones. */
  readonly complete: boolean;
  /** Absent when nothing was measured. */
  readonly averageResponseTimeSeconds?: number;
  readonly upSeconds?: number;
  readonly downSeconds?: number;
  readonly unmonitoredSeconds?: number;
}
