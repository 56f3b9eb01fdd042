import { type DatasetName, datasetNames } from '../domain/dataset.ts';
import { hashUnit } from '../lib/random.ts';

/** One thing to refresh: a dataset of one check or transaction, or of the account (id 0). */
export interface AgendaItem {
  readonly dataset: DatasetName;
  readonly id: number;
}

/** An item and the age of the data that are already there, from a store. */
export interface KnownItem {
  readonly id: number;
  readonly ageSeconds?: number;
}

/** That an event asked for an item, and by when it should be served. */
export interface RefreshRequest {
  readonly since: number;
  readonly dueBy: number;
}

/** An item and all that the agenda knows about it. Times are milliseconds of a monotonic clock. */
export interface AgendaEntry extends AgendaItem {
  /** In [0, 1): where in its dataset's interval the item stands. */
  readonly phase: number;
  /** When the data at hand were due or fetched; of an item without data, when it was first seen. */
  anchor: number;
  fetched: boolean;
  failures: number;
  /** An event asks for the item ahead of its turn. */
  request: RefreshRequest | undefined;
  /** The last listing that had the item. */
  listing: number;
  /** No longer part of the account. */
  dropped: boolean;
  /** Not before this is it tried again. */
  retryAt: number;
  /** Set while it is under way, with the wish that it fulfils; one that comes meanwhile is a new one. */
  running: { readonly wanted: RefreshRequest | undefined } | undefined;
}

export function createEntry(item: AgendaItem, now: number, ageSeconds?: number): AgendaEntry {
  return {
    dataset: item.dataset,
    id: item.id,
    phase: hashUnit(datasetNames.indexOf(item.dataset), item.id),
    anchor: now - (ageSeconds ?? 0) * 1000,
    fetched: ageSeconds !== undefined,
    failures: 0,
    request: undefined,
    listing: 0,
    dropped: false,
    retryAt: 0,
    running: undefined,
  };
}
