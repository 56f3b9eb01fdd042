import type { ApiErrorReason } from '../api/errors.ts';

/**
 * The label `reason` of `uptime_exporter_account_failure`: why the last attempt to read the check list failed, `none`
 * if it succeeded, or `starting` before the first attempt has ended. A refusal by the budget and a 429 of the service
 * are one reason, because both have one remedy: fewer requests.
 */
export type AccountFailure = 'none' | 'starting' | Exclude<ApiErrorReason, 'rate_limited'>;

export interface CheckListAttempts {
  /** True after the first attempt of this process. */
  readonly hasEnded: boolean;
  /** Why the last one failed; undefined when it succeeded. */
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
