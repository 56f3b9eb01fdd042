import type { RecordWrite, StoredRecord } from './format/record.ts';
import type { StoreError } from './store-error.ts';

/*
 * The port that a storage engine implements. `EncodedStore` turns it into a `Store`; all engines hold the same records.
 *
 * What the rest of the program assumes:
 *   - One process owns an account while it polls and serves it. It opens the account before anything else, keeps what it read in
 *     memory, and reads it only once: nobody else writes in between.
 *   - Commits of an account come one at a time. The next begins when the outcome of the last is known to be known or unknown.
 *   - What was reported as stored survives a crash of the process and of the machine.
 *   - Totals are shown only after a commit was stored, so that a restored engine must say so (`past`).
 */

/** What came of opening an account. */
export type Opening =
  | {
      readonly kind: 'owned';
      /** All records of the account. */
      readonly records: readonly StoredRecord[];
      /**
       * Why the records may be older than what was shown, such as after the restore of a backup. Absent when they are the last
       * ones. It is given at each opening until a commit with `beginsAgain`.
       */
      readonly past?: string;
    }
  | {
      readonly kind: 'taken';
      /** The process that owns the account, for a person. */
      readonly owner: string;
    };

/** What came of a commit. */
export type CommitOutcome =
  /** Durable, all of it. */
  | { readonly kind: 'stored' }
  /** Nothing of it is durable; it may be tried again. */
  | { readonly kind: 'not stored'; readonly error: StoreError }
  /** Another process owns the account. Nothing of it is durable, and no further commit will be: stop serving the account. */
  | { readonly kind: 'fenced'; readonly owner: string }
  /** All of it is durable, or nothing, such as after a lost connection. The account must be opened again before the next commit. */
  | { readonly kind: 'unknown'; readonly why: string };

export interface Commit {
  readonly account: string;
  /** All or nothing. The backend may take their buffers. */
  readonly writes: readonly RecordWrite[];
  /** After it, no total of the account is older than what was shown: `past` no longer applies. */
  readonly beginsAgain: boolean;
}

export interface RecordBackend {
  /** Takes the account and reads it; an account that this process owns is read again. Rejects with a `StoreError`. */
  open(account: string): Promise<Opening>;
  /** Never rejects. */
  commit(commit: Commit): Promise<CommitOutcome>;
  /** Gives the account up to others. Only after the outcome of its last commit is known: an unsure owner keeps it. */
  release(account: string): Promise<void>;
  /** Writes a copy beside the store and resolves with its path. Absent where there is nothing to copy. */
  backup?(): Promise<string>;
  close(): Promise<void>;
}
