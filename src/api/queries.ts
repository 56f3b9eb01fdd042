import type { Resolution } from '../domain/averages.ts';
import type { TimeRange } from '../domain/interval.ts';
import { formatDateTime } from './decoding/fields.ts';

/** A period of one check. */
export interface CheckTimeRange extends TimeRange {
  readonly checkId: number;
}

export interface AverageQuery extends CheckTimeRange {
  /** One or the other: the service refuses both together. */
  readonly by?: 'country' | 'probe';
}

export interface PerformanceQuery extends CheckTimeRange {
  readonly resolution: Resolution;
}

export interface AnalysisQuery {
  readonly checkId: number;
  readonly analysisId: number;
}

/** A period of one transaction. */
export interface TransactionTimeRange extends TimeRange {
  readonly transactionId: number;
}

export interface TransactionPerformanceQuery extends TransactionTimeRange {
  readonly resolution: Resolution;
}

export function timeRangeParameters({ fromSeconds, toSeconds }: TimeRange) {
  return { from: fromSeconds, to: toSeconds };
}

/** As the reports of transactions want it (API 3.1, section 4.6). */
export function dateTimeRangeParameters({ fromSeconds, toSeconds }: TimeRange) {
  return { from: formatDateTime(fromSeconds), to: formatDateTime(toSeconds) };
}
