import type { RejectedEntry } from '../api/service.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { AgendaItem } from './agenda-item.ts';

/** The result of a refresh, apart from the data. */
export interface RefreshResult {
  readonly rejected: readonly RejectedEntry[];
  /** Items that should be refreshed soon because of it. */
  readonly events: readonly AgendaItem[];
  /** Number of entries; absent when the state already knows it from the list, or nothing was fetched yet. */
  readonly entries?: number;
}

export interface Refresh {
  /**
   * Fetches a dataset of one item (0 for the account) and updates the state. Rejects with an `ApiError`, or with
   * a `StoreError` when totals could not be stored; no horizon and no watermark has moved then.
   */
  (id: number, signal: AbortSignal): Promise<RefreshResult>;
  /** The account dataset that must be fetched before any item can be refreshed; undefined when none is missing. */
  readonly missingDependency?: () => DatasetName | undefined;
}

export type Refreshes = ReadonlyMap<DatasetName, Refresh>;

/** Nothing was fetched. */
export const noChange: RefreshResult = { rejected: [], events: [], entries: 0 };

export function result(entries: number, rejected: readonly RejectedEntry[] = []): RefreshResult {
  return { rejected, events: [], entries };
}
