import type { RowWrite, StoredRow } from './format/row.ts';
import type { MonthBatch } from './store.ts';
import type { StoreError } from './store-error.ts';

/*
 * The interface that a storage engine implements. `EncodedStore` makes a `Store` of it. All engines
 * store the same rows.
 *
 * The rest of the program relies on the following:
 *   - One process owns an account while it polls and serves it. It opens the account first, keeps
 *     the data in memory and reads them only once, because no other process writes meanwhile.
 *   - Commits of an account do not overlap. The next one begins after the last one has returned its
 *     outcome, which may be `unknown`.
 *   - A commit that was reported as stored survives a crash of the process and of the machine.
 *   - Totals are shown only after their commit was stored. So an engine that was restored must
 *     report that its rows may be older (`past`).
 */

/** The outcome of opening an account. */
export type Opening =
  | {
      readonly kind: 'owned';
      /** All rows of the account but those of months. They can be read once. */
      readonly rows: Iterable<StoredRow>;
      /** The size of their bodies. */
      readonly bytes: number;
      /**
       * Why the rows may be older than the totals already shown, such as after a restored
       * backup. Absent if they are current. Repeated at each opening until a commit with
       * `beginsAgain`.
       */
      readonly past?: string;
    }
  | {
      readonly kind: 'taken';
      /** The process that owns the account, as text for people. */
      readonly owner: string;
    };

/** The outcome of a commit. */
export type CommitOutcome =
  /** The whole commit is durable. */
  | { readonly kind: 'stored' }
  /** Nothing of the commit is durable; the caller may try again. */
  | { readonly kind: 'not stored'; readonly error: StoreError }
  /**
   * Another process owns the account. Neither this commit nor a later one is durable: stop serving
   * the account.
   */
  | { readonly kind: 'fenced'; readonly owner: string }
  /**
   * All of the commit is durable, or nothing, for example after a lost connection. The account must
   * be opened again before the next commit.
   */
  | { readonly kind: 'unknown'; readonly why: string };

export interface Commit {
  readonly account: string;
  /** All or nothing. */
  readonly writes: readonly RowWrite[];
  /**
   * After this commit, all totals of the account are at least as new as those already shown, so
   * `past` no longer applies.
   */
  readonly beginsAgain: boolean;
  /** Deletes all rows of the account; then there are no writes. */
  readonly deletesAccount: boolean;
}

export interface RecordBackend {
  /** A random id of the store. Totals that restart at 0 for all accounts begin another store. */
  readonly id: string;
  /** The names of all accounts with rows, whoever owns them. Rejects with a `StoreError`. */
  accounts(): Promise<readonly string[]>;
  /**
   * Takes ownership of the account and reads it. An account that this process already owns is read
   * again. Rejects with a `StoreError`.
   */
  open(account: string): Promise<Opening>;
  /** Reads rows of a month in the order of their ids. Rejects with a `StoreError`. */
  readMonth(batch: MonthBatch): Promise<readonly StoredRow[]>;
  /** Never rejects. */
  commit(commit: Commit): Promise<CommitOutcome>;
  /**
   * Gives up ownership of the account. Must not be called while the outcome of the last commit is
   * unknown: then the process keeps the account.
   */
  release(account: string): Promise<void>;
  /**
   * Forgets an account that another process may own by now. Absent if one process owns all
   * accounts.
   */
  abandon?(account: string): void;
  /**
   * Writes a copy next to the store and resolves with its path. Absent if there is nothing to copy.
   */
  backup?(): Promise<string>;
  close(): Promise<void>;
}
