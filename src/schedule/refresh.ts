import type { RejectedEntry } from '../api/service.ts';
import type { DatasetName, ItemId } from '../domain/dataset.ts';
import { present } from '../lib/present.ts';
import type { KnownItem, RefreshTask } from './refresh-task.ts';

/** The result of a refresh, without the data. */
export interface RefreshResult {
  readonly rejected: readonly RejectedEntry[];
  /** Items whose refresh this result requests, because it shows that they have changed. */
  readonly events: readonly RefreshTask[];
  /** The number of entries. Absent if nothing was fetched or the state has counted them. */
  readonly entries?: number;
  /** Nothing was requested, because data are not known yet. It is tried again in a minute. */
  readonly isTooEarly?: true;
  /** The check list is needed again after this time, before it is planned. */
  readonly listAgainAfterMilliseconds?: number;
  /**
   * Why nothing was requested, so that the success says nothing about the service: the data that are
   * known are the newest, or nothing is left to read, which ends an earlier failure.
   */
  readonly unrequested?: 'known' | 'nothing left';
  /** Whether there is more to read than one refresh reads. */
  readonly isUnfinished?: boolean;
}

/**
 * Fetches a dataset and updates the state. Rejects with an `ApiError`, or with a `StoreError` if
 * totals could not be stored; horizons and watermarks then stay unchanged. It calls `allRead` when
 * it will send no further request and only waits for the store, so that another refresh may send
 * requests.
 */
interface RefreshOf<Id extends ItemId> {
  (id: Id, signal: AbortSignal, allRead?: () => void): Promise<RefreshResult>;
  /** The account dataset that must be fetched before any item; undefined if none is missing. */
  readonly missingDependency?: () => DatasetName | undefined;
  /** The items to refresh; by default the account, or every check or transaction. */
  readonly items?: OwnItems;
}

/** The items of a dataset that is not read for every check or transaction. */
export interface OwnItems {
  /** Changes whenever the items may have changed. */
  readonly version: number;
  items(): readonly KnownItem[];
  /** All requests for the past beyond 35 days; 0 if none is left. */
  readonly deeperRequests: number;
}

export type Refresh = RefreshOf<ItemId>;

/** The refresh of one check or transaction. */
export type ItemRefresh = RefreshOf<number>;

/** Adapts an item's refresh to the table. A call with the id `account` throws a `TypeError`. */
export function ofItem(refresh: ItemRefresh): Refresh {
  const ofId: Refresh = (id, signal, allRead) => {
    if (id === 'account') throw new TypeError('this dataset belongs to a check or transaction');
    return refresh(id, signal, allRead);
  };
  const { missingDependency, items } = refresh;
  return Object.assign(ofId, present({ missingDependency, items }));
}

export type Refreshes = ReadonlyMap<DatasetName, Refresh>;

/** The known data are the newest. Without `entries`, the dataset stays as old as it is. */
export function alreadyKnown(entries?: number): RefreshResult {
  return { rejected: [], events: [], unrequested: 'known', ...present({ entries }) };
}

export const nothingLeft: RefreshResult = {
  rejected: [],
  events: [],
  entries: 0,
  unrequested: 'nothing left',
};

export const tooEarly: RefreshResult = { rejected: [], events: [], isTooEarly: true };

export function result(entries: number, rejected: readonly RejectedEntry[] = []): RefreshResult {
  return { rejected, events: [], entries };
}
