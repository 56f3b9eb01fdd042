import type { SecondsByState } from '../domain/totals.ts';
import type { StateHistory } from '../slo/state-history.ts';
import type { EventTally } from '../tally/event-tally.ts';
import type { RecentTally } from '../tally/recent-changes.ts';
import type { ResultTally } from '../tally/result-tally.ts';
import type { DocumentChanges, DocumentSet } from './format/document-set.ts';

/** The stored totals of one check or transaction. */
export interface StoredItem extends RecentTally {
  /** Absent for an item that was always up. */
  readonly history?: StateHistory;
  readonly maintenance?: SecondsByState;
  readonly results?: ResultTally;
  readonly analyses?: EventTally;
  /** When it left the list; absent while it is listed. Its totals are kept for a while, to go on if it returns. */
  readonly goneAtSeconds?: number;
  /** Time before this moment goes into the history, but not into the totals, which begin again at 0. */
  readonly countFromSeconds?: number;
}

export const itemKinds = ['check', 'transaction'] as const;
export type ItemKind = (typeof itemKinds)[number];

export interface StoredAccount {
  readonly items: { readonly [K in ItemKind]: ReadonlyMap<number, StoredItem> };
  /** The account as a whole: budget, data, details. */
  readonly documents: DocumentSet;
  /** What was stored and cannot be read: the counters of an item begin again, a document is fetched again. */
  readonly lost?: readonly LostRecord[];
  /**
   * Why the totals may be older than those that were shown, such as after the restore of a backup. They must begin again at 0.
   * Absent when they are the last ones.
   */
  readonly past?: string;
}

export const lostRecordKinds = [...itemKinds, 'document', 'chunk', 'missing'] as const;

/** The name of a missing record that stands for the last commits. */
export const missingCommits = 'commits';

export interface LostRecord {
  /** An item, a document, a chunk of items of which not even the ids can be read, or a record that is not there. */
  readonly kind: (typeof lostRecordKinds)[number];
  /** The id of an item, otherwise a name. */
  readonly name: string;
  /** For a person. */
  readonly reason: string;
}

/** What to write; `null` deletes. What is not named stays as it is. */
export interface StoreChanges {
  readonly account: string;
  readonly items?: { readonly [K in ItemKind]?: ReadonlyMap<number, StoredItem | null> };
  readonly documents?: DocumentChanges;
  /** The changes let all totals of the account begin again at 0: `past` no longer applies. */
  readonly beginsAgain?: boolean;
}

/** The name under which the exporter stores what belongs to no account. Not a name that an account can have. */
export const exporterAccount = '';

/**
 * Keeps state across restarts. The order that makes counters trustworthy: compute the new values,
 * `commit` them, and only when it has resolved put them on the page. After a crash the store then holds at least
 * what any scrape has seen. When `commit` rejects, nothing of it is stored: keep serving the last
 * durable values, and commit the newest ones again later.
 */
export interface Store {
  load(account: string): Promise<StoredAccount>;
  /** All or nothing, and on the disk before it resolves. Rejects with a `StoreError`. */
  commit(changes: StoreChanges): Promise<void>;
  /** Writes a copy beside the store and resolves with its path. Absent where there is nothing to copy. */
  backup?(): Promise<string>;
  close(): Promise<void>;
}
