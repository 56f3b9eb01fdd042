import type { ApiVersion } from '../domain/api-version.ts';
import type { Check } from '../domain/check.ts';
import type { Credits } from '../domain/credits.ts';

/**
 * The monitoring service as the exporter sees it: read operations that answer with domain types.
 * There is no operation that changes anything, so a read-only token suffices.
 *
 * Every operation rejects with an `ApiError`.
 */
export interface MonitoringService {
  readonly version: ApiVersion;
  readonly baseUrl: string;
  /** All checks of the account, complete or not at all. */
  listChecks(signal: AbortSignal): Promise<Listing<Check>>;
  credits(signal: AbortSignal): Promise<Credits>;
}

/** A list as far as it could be read. */
export interface Listing<T> {
  readonly items: readonly T[];
  readonly rejected: readonly RejectedEntry[];
}

/** Why one entry of an otherwise good list was left out. */
export const rejectionReasons = ['shape', 'duplicate'] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

export interface RejectedEntry {
  readonly reason: RejectionReason;
  /** Where and what, for the log: field names and kinds of value, never the value itself. */
  readonly detail: string;
}
