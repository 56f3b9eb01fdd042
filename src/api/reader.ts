import type { Resolution } from '../domain/averages.ts';
import type { TimeRange } from '../domain/interval.ts';
import { formatDateTime } from './decoding/fields.ts';

/** One thing to read from the service. */
export interface ReadRequest {
  /** Name of the operation, as in the `operation` label. */
  readonly operation: string;
  /** Below `/api/{version}/`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly signal: AbortSignal;
}

/** Removes secrets from what was parsed from a text. */
export type Redact = (text: Buffer, value: unknown) => unknown;

/** A custom reader of a reply's body. */
export interface BodyReader {
  /** Memory that the body may take, if there is any: what is in it is lost. Called when a body begins to arrive. */
  room(): Buffer | undefined;
  /** Resolves with undefined to have the body parsed as JSON. */
  read(body: Buffer, redact: Redact): Promise<unknown>;
}

/** What the operations need of a transport. */
export interface Reader {
  /** Address of the service, free of credentials. */
  readonly baseUrl: string;
  /** The JSON value the service answers with, or what `bodyReader` makes of it. Rejects with an `ApiError`. */
  get(request: ReadRequest, bodyReader?: BodyReader): Promise<unknown>;
}

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
