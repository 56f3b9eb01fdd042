import type { Resolution } from '../domain/averages.ts';
import type { TimeRange } from '../domain/interval.ts';
import { formatDateTime } from './decoding/fields.ts';

/** A period of one check. */
export interface CheckTimeRange extends TimeRange {
  readonly checkId: number;
}

export interface AverageQuery extends CheckTimeRange {
  /** The averages by country in place of the one of all. */
  readonly by?: 'country';
}

export interface PerformanceQuery extends CheckTimeRange {
  readonly resolution: Resolution;
}

export interface TransactionPerformanceQuery extends TimeRange {
  readonly transactionId: number;
  readonly resolution: Resolution;
}

export function timeRangeParameters({ fromSeconds, toSeconds }: TimeRange) {
  return { from: fromSeconds, to: toSeconds };
}

/** As the reports of transactions want it (API 3.1, section 4.6). */
export function dateTimeRangeParameters({ fromSeconds, toSeconds }: TimeRange) {
  return { from: formatDateTime(fromSeconds), to: formatDateTime(toSeconds) };
}
