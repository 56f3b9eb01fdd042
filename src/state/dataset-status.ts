import type { ApiErrorReason } from '../api/errors.ts';

/** How one dataset of an account is doing. Times are UNIX seconds of the wall clock. */
export interface DatasetStatus {
  /** The planned interval between refreshes; absent while there is no plan. */
  readonly intervalSeconds?: number;
  readonly lastAttemptAtSeconds?: number;
  readonly lastSuccessAtSeconds?: number;
  /** The failure of the last attempt; absent when it succeeded or there was none. */
  readonly failure?: DatasetFailure;
  /** Entries in the last good reply. */
  readonly items?: number;
  /** True when there are no data, or they are older than the dataset may be. */
  readonly stale: boolean;
}

export interface DatasetFailure {
  readonly reason: ApiErrorReason;
  readonly message: string;
  /** When the run of failures began. */
  readonly sinceSeconds: number;
  readonly consecutive: number;
}
