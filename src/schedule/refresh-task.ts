import {
  type DatasetName,
  datasetNames,
  type ItemId,
  type RefreshClass,
} from '../domain/dataset.ts';
import { hashUnit } from '../lib/random.ts';

/** One item to refresh: a dataset of one check or transaction, or of the account. */
export interface RefreshTask {
  readonly dataset: DatasetName;
  readonly id: ItemId;
}

/** An item and the age of its data, if there are any. */
export interface KnownItem {
  readonly id: ItemId;
  readonly ageSeconds?: number;
  /** The item is to be read further back than before. */
  readonly isDeeper?: true;
}

/** A request to refresh an item, by an event or by first sight, with its deadline. */
interface RefreshRequest {
  readonly since: number;
  readonly dueBy: number;
  /** Its place in the order of first sight; absent for an event, which is served before. */
  readonly place?: number;
}

/** An item with its state on the agenda. Times are milliseconds of a monotonic clock. */
export interface AgendaEntry extends RefreshTask {
  /** The item's position in the interval of its dataset, from 0 to below 1. */
  readonly phase: number;
  /** The start of the present interval. For an item without data: when it was first seen. */
  anchor: number;
  fetched: boolean;
  failures: number;
  /**
   * A success of another item has ended this item's wait for a retry. Until this item succeeds
   * itself, that can happen again only if the whole account fails.
   */
  released: boolean;
  /** The item was listed as one to be read further back. */
  isDeeper: boolean;
  /** Set while an event or first sight requests the item before it is due. */
  request: RefreshRequest | undefined;
  /** The number of the last reconciliation that contained the item. */
  listing: number;
  /** The item is no longer part of the account, but may still be running. */
  dropped: boolean;
  /** The earliest time of the next attempt after a failure. */
  retryAt: number;
  /** Set during the refresh, with its request. A request that arrives meanwhile is separate. */
  running: RunningRefresh | undefined;
  /** First sight waits until this. It requests an item twice only for an incomplete report. */
  placeableAt: number;
}

/** The allowance that pays for a refresh: its class's or first sight's. */
export type AllowanceName = RefreshClass | 'firstSight';

interface RunningRefresh {
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
    isDeeper: false,
    request: undefined,
    listing: 0,
    dropped: false,
    retryAt: 0,
    running: undefined,
    placeableAt: 0,
  };
}
