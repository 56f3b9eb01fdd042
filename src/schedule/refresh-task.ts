import type { DatasetName, ItemId, RefreshClass } from '../domain/dataset.ts';
import type { HeapElement } from './indexed-heap.ts';

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
  /** Counters wait for it. */
  readonly isUrgent?: boolean;
  /** Its place in the order of first sight; absent for an event, which is served before. */
  readonly place?: number;
}

/**
 * An item that is requested, runs, or waits for a retry, or that has failed since its last success.
 * Every other item is only a row of its dataset's queue. An entry waits in one heap at a time: of
 * requests by events, of those of first sight, or of retries. Times are milliseconds of a monotonic
 * clock.
 */
export interface AgendaEntry extends RefreshTask, HeapElement {
  /** Its row in the queue; -1 when the item is no longer part of the account, but still runs. */
  slot: number;
  failures: number;
  /** It failed with the credentials or the whole service, so the next success ends its wait. */
  isHeldByService: boolean;
  /**
   * A success of another item has ended this item's wait for a retry. Until this item succeeds
   * itself, that can happen again only if the whole account fails.
   */
  released: boolean;
  /** Set while an event or first sight requests the item before it is due. */
  request: RefreshRequest | undefined;
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

export function createEntry({ dataset, id }: RefreshTask, slot: number): AgendaEntry {
  return {
    dataset,
    id,
    slot,
    failures: 0,
    isHeldByService: false,
    released: false,
    request: undefined,
    retryAt: 0,
    running: undefined,
    placeableAt: 0,
    heapPlace: -1,
  };
}
