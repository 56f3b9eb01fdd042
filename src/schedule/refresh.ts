import type { RejectedEntry } from '../api/service.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { AgendaItem } from './agenda-item.ts';

/** What a refresh brought, apart from the data. */
export interface RefreshResult {
  readonly rejected: readonly RejectedEntry[];
  /** What should be refreshed soon because of it. */
  readonly events: readonly AgendaItem[];
  /** How many entries there were; absent where the state has been told with the list, or nothing could be asked yet. */
  readonly entries?: number;
}

export interface Refresh {
  /**
   * Fetches a dataset of one item (0 for the account) and hands it to the state. It rejects with an
   * `ApiError`, or a `StoreError` when totals could not be kept, and then has moved no horizon and no watermark.
   */
  (id: number, signal: AbortSignal): Promise<RefreshResult>;
  /** The dataset of the account that must be there before any item can be refreshed; undefined when none is missing. */
  readonly missingDependency?: () => DatasetName | undefined;
}

export type Refreshes = ReadonlyMap<DatasetName, Refresh>;

/** There was nothing to fetch. */
export const noChange: RefreshResult = { rejected: [], events: [], entries: 0 };

export function result(entries: number, rejected: readonly RejectedEntry[] = []): RefreshResult {
  return { rejected, events: [], entries };
}
