import type { SecondsByState } from '../domain/totals.ts';
import type { EventTally } from '../tally/event-tally.ts';
import type { RecentTally } from '../tally/recent-changes.ts';
import type { ResultTally } from '../tally/result-tally.ts';
import type { StateHistory } from '../windows/state-history.ts';

/** What is kept of one check or transaction. */
export interface StoredItem extends RecentTally {
  /** Absent for an item that was always up. */
  readonly history?: StateHistory;
  readonly maintenance?: SecondsByState;
  readonly results?: ResultTally;
  readonly analyses?: EventTally;
  /** Alerts sent, by a label of the caller's; their watermark belongs to the account. */
  readonly alerts?: Readonly<Record<string, number>>;
  /** When it left the list; absent while it is listed. Its tallies are kept for a while, to go on if it returns. */
  readonly goneAtSeconds?: number;
}

export const itemKinds = ['check', 'transaction'] as const;
export type ItemKind = (typeof itemKinds)[number];

/** Anything that JSON can hold. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

export interface StoredAccount {
  readonly items: { readonly [K in ItemKind]: ReadonlyMap<number, StoredItem> };
  /** What is kept of the account as a whole (budget, plan, data), each under a name of the caller's. */
  readonly documents: ReadonlyMap<string, Json>;
  /** What was stored and cannot be read any more: an item starts anew, a document is fetched again. */
  readonly lost?: readonly LostRecord[];
}

export const lostRecordKinds = [...itemKinds, 'document', 'chunk', 'missing'] as const;

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
  readonly documents?: ReadonlyMap<string, Json | null>;
}

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
  /** Names what is durable now: the same text for the same records only. Absent where nothing outlives the process. */
  fingerprint?(): Promise<string>;
  /** Writes a copy beside the store and resolves with its path. Absent where there is nothing to copy. */
  backup?(): Promise<string>;
  close(): Promise<void>;
}
