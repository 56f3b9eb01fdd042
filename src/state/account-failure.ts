import type { ApiErrorReason } from '../api/errors.ts';

/**
 * Why an account cannot be read, as `uptime_exporter_account_failure` says: `none` while it can be, `starting` before the
 * first attempt has ended, and otherwise why the last attempt to read the check list failed. Requests that the budget
 * holds back and those that the service rejects with a 429 are one reason, because one remedy helps: fewer requests.
 */
export type AccountFailure = 'none' | 'starting' | Exclude<ApiErrorReason, 'rate_limited'>;

export interface CheckListAttempts {
  /** An attempt of this process has ended. */
  readonly hasEnded: boolean;
  /** Why the last one failed; undefined when it succeeded. */
  readonly failure: ApiErrorReason | undefined;
  /** The list is due, and the budget holds back every request. */
  readonly isHeldBack: boolean;
}

export function accountFailure({
  hasEnded,
  failure,
  isHeldBack,
}: CheckListAttempts): AccountFailure {
  if (failure !== undefined) return failure === 'rate_limited' ? 'budget' : failure;
  if (isHeldBack) return 'budget';
  return hasEnded ? 'none' : 'starting';
}
