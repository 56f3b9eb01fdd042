import type { RejectedEntry } from '../api/service.ts';
import type { DatasetName, ItemId } from '../domain/dataset.ts';
import type { RefreshTask } from './refresh-task.ts';

/** The result of a refresh, without the data. */
export interface RefreshResult {
  readonly rejected: readonly RejectedEntry[];
  /** Items that should be refreshed soon because of it. */
  readonly events: readonly RefreshTask[];
  /** Number of entries; absent when the state already knows it from the list, or nothing was fetched yet. */
  readonly entries?: number;
  /** Nothing was requested, because what the request needs is not known yet. The item is tried again in a minute. */
  readonly isTooEarly?: true;
  /** Of an item that is read once: there is more to read, with another refresh. */
  readonly isUnfinished?: boolean;
}

/**
 * Fetches a dataset and updates the state. Rejects with an `ApiError`, or with a `StoreError` when totals could
 * not be stored; no horizon and no watermark has moved then. It calls `allRead` when it sends no further request and
 * only waits for the store: another refresh may then send requests in its place.
 */
interface RefreshOf<Id extends ItemId> {
  (id: Id, signal: AbortSignal, allRead?: () => void): Promise<RefreshResult>;
  /** The account dataset that must be fetched before any item can be refreshed; undefined when none is missing. */
  readonly missingDependency?: () => DatasetName | undefined;
}

export type Refresh = RefreshOf<ItemId>;

/** The refresh of one check or transaction. */
export type ItemRefresh = RefreshOf<number>;

/** Adapts the refresh of an item to the table of all refreshes. It throws a `TypeError` for the account. */
export function ofItem(refresh: ItemRefresh): Refresh {
  const ofId: Refresh = (id, signal, allRead) => {
    if (id === 'account') throw new TypeError('this dataset belongs to a check or transaction');
    return refresh(id, signal, allRead);
  };
  const { missingDependency } = refresh;
  return missingDependency === undefined ? ofId : Object.assign(ofId, { missingDependency });
}

export type Refreshes = ReadonlyMap<DatasetName, Refresh>;

/** Nothing was fetched. */
export const noChange: RefreshResult = { rejected: [], events: [], entries: 0 };

export const tooEarly: RefreshResult = { rejected: [], events: [], isTooEarly: true };

export function result(entries: number, rejected: readonly RejectedEntry[] = []): RefreshResult {
  return { rejected, events: [], entries };
}
