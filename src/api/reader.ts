import type { Resolution } from '../domain/averages.ts';
import type { TimeRange } from '../domain/interval.ts';
import { formatInstant } from '../lib/instant.ts';
import { type Whole, whole } from '../lib/whole.ts';

export interface ReadRequest {
  /** Name of the operation, as in the `operation` label. */
  readonly operation: string;
  /** The path below `/api/{version}/`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | Whole | boolean>>;
  readonly signal: AbortSignal;
}

/** The transport that the operations need. */
export interface Reader {
  /** Address of the service, free of credentials. */
  readonly baseUrl: string;
  /** Resolves with the JSON value of the response. Rejects with an `ApiError`. */
  get(request: ReadRequest): Promise<unknown>;
}

/** A period of one check. */
export interface CheckTimeRange extends TimeRange {
  readonly checkId: number;
}

export interface AverageQuery extends CheckTimeRange {
  /** The averages by country instead of the overall average. */
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
  return { from: whole(fromSeconds), to: whole(toSeconds) };
}

/** The range in the format of the transaction reports (API 3.1, section 4.6). */
export function dateTimeRangeParameters({ fromSeconds, toSeconds }: TimeRange) {
  return { from: formatInstant(whole(fromSeconds)), to: formatInstant(whole(toSeconds)) };
}
