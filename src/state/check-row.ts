import type { CountryAverage, HourOfDayAverage } from '../domain/average.ts';
import type { Check } from '../domain/check.ts';
import type { RecipientCounts } from '../domain/check-detail.ts';
import type { PerformanceInterval } from '../domain/performance.ts';
import type { AvailabilityTotals, ResultTotals } from '../domain/tally.ts';

export const averageWindows = ['24h', '7d', '30d'] as const;
export type AverageWindow = (typeof averageWindows)[number];

export interface WindowAverage {
  readonly window: AverageWindow;
  /** Share of the monitored time that was up, 0 to 1; absent when nothing was monitored. */
  readonly uptimeRatio?: number;
  readonly responseTimeSeconds?: number;
  /** Empty unless asked for. */
  readonly byCountry: readonly CountryAverage[];
}

export interface CheckSettings {
  readonly responseTimeThresholdSeconds?: number;
  readonly certificateWarningSeconds?: number;
  readonly recipients: RecipientCounts;
}

export interface MaintenanceState {
  readonly active: boolean;
  readonly nextStartAtSeconds?: number;
}

/**
 * A check and all that is known of it beyond the list. A part that did not change is the same object in
 * the next snapshot; a part that is not known, or too old, is undefined. Totals are never too old.
 */
export interface CheckRow extends Check {
  readonly availability?: AvailabilityTotals;
  readonly results?: ResultTotals;
  readonly analyses?: number;
  readonly averages?: readonly WindowAverage[];
  /** The last complete hour. */
  readonly performance?: PerformanceInterval;
  readonly hoursOfDay?: readonly HourOfDayAverage[];
  readonly settings?: CheckSettings;
  readonly activeProbes?: number;
  readonly maintenance?: MaintenanceState;
}
