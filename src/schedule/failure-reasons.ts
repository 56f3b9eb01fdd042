import { type ApiErrorReason, reasonsWithoutResponse } from '../api/errors.ts';
import type { FailureKind } from './retry-delay.ts';

/** Reasons that concern the credentials, the network or the service, and not a single request. */
export const serviceReasons: ReadonlySet<ApiErrorReason> = new Set<ApiErrorReason>([
  ...reasonsWithoutResponse,
  'not_json',
  'redirect',
  'refused',
  'unauthorized',
  'blocked',
  'blocked_or_unauthorized',
  'rate_limited',
  'server_error',
]);

/**
 * Reasons for which the same request of an item would fail again. The item waits for its next turn.
 */
export const itemReasons: ReadonlySet<ApiErrorReason> = new Set<ApiErrorReason>([
  'forbidden',
  'not_found',
  'bad_request',
]);

/** `isUnauthorized`: more than a single request shows it. Valid credentials may get a single 401. */
export function failureKindOf(reason: ApiErrorReason, isUnauthorized: boolean): FailureKind {
  if (reason === 'unauthorized') return isUnauthorized ? 'persistent' : 'doubtful';
  if (reason === 'forbidden') return 'persistent';
  return reason === 'refused' ? 'doubtful' : 'transient';
}
