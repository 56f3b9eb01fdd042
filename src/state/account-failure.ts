import type { ApiErrorReason } from '../api/errors.ts';

/**
 * The value of the label `reason` of `uptime_exporter_account_failure`: the reason why the last
 * attempt to read the check list failed, `none` if it succeeded, or `starting` before the first
 * attempt has ended. A request that the budget refuses and a 429 of the service have the same
 * reason, because both have the same remedy: fewer requests.
 */
export type AccountFailure = 'none' | 'starting' | Exclude<ApiErrorReason, 'rate_limited'>;

interface CheckListAttempts {
  /** True after the first attempt of this process. */
  readonly hasEnded: boolean;
  /** The reason why the last attempt failed; undefined if it succeeded. */
  readonly failure: ApiErrorReason | undefined;
  /** The list is due, but the budget allows no request. */
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
