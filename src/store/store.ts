import type { SecondsByState } from '../domain/totals.ts';
import type { KnownStates } from '../slo/state-log.ts';
import type { EventTally } from '../tally/event-tally.ts';
import type { ResultTally } from '../tally/result-tally.ts';
import type { DocumentChanges, DocumentSet } from './format/document-set.ts';
import type { MonthKind } from './format/row.ts';

/** The stored totals of one check or transaction. */
export interface StoredItem extends KnownStates {
  /** Seconds in maintenance. Absent when there has been no maintenance. */
  readonly maintenance?: SecondsByState;
  /** Counters of a check. Absent in a stored one if they have counted nothing since its start. */
  readonly results?: ResultTally;
  readonly analyses?: EventTally;
  /** When it was removed (UNIX seconds); absent while it is listed. It is kept a week, in case it returns. */
  readonly goneAtSeconds?: number;
}

export const itemKinds = ['check', 'transaction'] as const;
export type ItemKind = (typeof itemKinds)[number];

export interface StoredAccount {
  readonly items: { readonly [K in ItemKind]: ReadonlyMap<number, StoredItem> };
  /** All data of the account except the totals of its items: budget, lists, details. */
  readonly documents: DocumentSet;
  /** What cannot be read. A lost item's counters begin at 0; lost documents are fetched again. */
  readonly lost: readonly LostRecord[];
  /**
   * Why the totals may be older than the ones already shown, such as after a restored backup. They
   * must restart at 0. Absent if they are current.
   */
  readonly past?: string;
}

export const lostRecordKinds = [...itemKinds, 'document', 'missing'] as const;

/** The name of the lost record that stands for the last commits. */
export const missingCommits = 'commits';

export interface LostRecord {
  /** An item, a document, or commits that are missing. */
  readonly kind: (typeof lostRecordKinds)[number];
  /** The id of an item, the name of a document, or `missingCommits`. */
  readonly name: string;
  /** The cause, as text for people. */
  readonly reason: string;
}

/** The changes to write; `null` deletes. Everything else stays unchanged. */
export interface StoreChanges {
  readonly account: string;
  readonly items?: { readonly [K in ItemKind]?: ReadonlyMap<number, StoredItem | null> };
  readonly documents?: DocumentChanges;
  /** These changes set all totals of the account to 0, so `past` no longer applies. */
  readonly beginsAgain?: boolean;
  /** Deletes everything about the account. */
  readonly deletesAccount?: true;
}

/** The next records of a month in the order of the ids of their items, or some items' in months. */
export type MonthSelection =
  | {
      readonly kind: MonthKind;
      /** Only records of items with greater ids. */
      readonly afterId: number;
      readonly most: number;
    }
  | { readonly kinds: readonly MonthKind[]; readonly ids: readonly number[] };

export type MonthBatch = MonthSelection & { readonly account: string };

/** The record of an item, or why it cannot be read. */
export type StoredMonth = { readonly kind: string; readonly id: number } & (
  | { readonly value: unknown }
  | { readonly reason: string }
);

/** The name for data that belong to no account. No account can have it. */
export const exporterAccount = '';

/**
 * Stores state across restarts. Counters are never wrong after a crash because of the order:
 * compute the new values, `commit` them, and show them only after `commit` has resolved. The store
 * then has at least the values that any scrape has seen. If `commit` rejects, nothing was stored,
 * unless the reason is `unknown`: then the outcome is open. In both cases, keep serving the last
 * durable values, and commit the newest ones later.
 */
export interface AccountStore {
  /** A random id: two exporters with different ids do not share a store. */
  readonly id: string;
  /** The names of the accounts of which something is stored, without `exporterAccount`. */
  accounts(): Promise<readonly string[]>;
  load(account: string): Promise<StoredAccount>;
  /** Reads records of a month, which `load` leaves out. Rejects with a `StoreError`. */
  readMonth(batch: MonthBatch): Promise<readonly StoredMonth[]>;
  /** Stores all or nothing. The changes are on the disk then. Rejects with a `StoreError`. */
  commit(changes: StoreChanges): Promise<void>;
  close(): Promise<void>;
}

export interface Store extends AccountStore {
  /** Writes a copy next to the store, if there are data. Resolves with its path. */
  backup?(): Promise<string>;
}
