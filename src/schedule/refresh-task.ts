import {
  type DatasetName,
  datasetNames,
  type ItemId,
  type RefreshClass,
} from '../domain/dataset.ts';
import { hashUnit } from '../lib/random.ts';

/** One thing to refresh: a dataset of one check or transaction, or of the account. */
export interface RefreshTask {
  readonly dataset: DatasetName;
  readonly id: ItemId;
}

/** An item and the age of its data, if there are any. */
export interface KnownItem {
  readonly id: ItemId;
  readonly ageSeconds?: number;
}

/** An event's request to refresh an item, with its deadline. */
export interface RefreshRequest {
  readonly since: number;
  readonly dueBy: number;
  /** Its place in the order of first sight; absent for an event, which goes before all of these. */
  readonly place?: number;
}

/** An item with its state on the agenda. Times are milliseconds of a monotonic clock. */
export interface AgendaEntry extends RefreshTask {
  /** In [0, 1): the item's place in the interval of its dataset. */
  readonly phase: number;
  /** When the present data were due or fetched; for an item without data, when it was first seen. */
  anchor: number;
  fetched: boolean;
  failures: number;
  /**
   * A success of another item has ended its backoff. Until it succeeds itself, only another failure of the whole
   * account allows this again.
   */
  released: boolean;
  /** Set while an event requests the item ahead of its place in the queue. */
  request: RefreshRequest | undefined;
  /** The last listing that contained the item. */
  listing: number;
  /** No longer part of the account. */
  dropped: boolean;
  /** Earliest time of the next attempt. */
  retryAt: number;
  /** Set while the item is refreshed, with the request that this serves; a later request is a new one. */
  running: RunningRefresh | undefined;
  /** First sight requests it no earlier than this. A second request is only for a report that must be read again. */
  placeableAt: number;
}

/** The allowance that pays for a refresh: the one of its class, of first sight, or of a backfill job. */
export type AllowanceName = RefreshClass | 'firstSight' | 'backfill';

export interface RunningRefresh {
  readonly request: RefreshRequest | undefined;
  readonly paidBy: AllowanceName;
}

export function createEntry(item: RefreshTask, now: number, ageSeconds?: number): AgendaEntry {
  return {
    dataset: item.dataset,
    id: item.id,
    phase: hashUnit(datasetNames.indexOf(item.dataset), item.id === 'account' ? 0 : item.id),
    anchor: now - (ageSeconds ?? 0) * 1000,
    fetched: ageSeconds !== undefined,
    failures: 0,
    released: false,
    request: undefined,
    listing: 0,
    dropped: false,
    retryAt: 0,
    running: undefined,
    placeableAt: 0,
  };
}
