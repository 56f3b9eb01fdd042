import type { MonitoringService, RejectedEntry } from '../api/service.ts';
import type { ServiceTime } from '../datasets/refresh-context.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { TransactionResponseUnit } from '../domain/transaction.ts';
import type { Clock } from '../lib/clock.ts';
import type { AccountState } from '../state/account-state.ts';
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

export interface RefreshContext {
  readonly service: MonitoringService;
  readonly state: AccountState;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly serviceTime: ServiceTime;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds: readonly number[];
  /** Results and the average of a day are also told apart by the country of the probe. It takes the dataset `probes`. */
  readonly byCountry: boolean;
  /** Of the response times of transactions; told by the data where it is absent. */
  readonly transactionResponseUnit?: TransactionResponseUnit;
  /** Told once, when the data have told it. */
  readonly onTransactionUnit?: (unit: TransactionResponseUnit) => void;
}

/** There was nothing to fetch. */
export const noChange: RefreshResult = { rejected: [], events: [], entries: 0 };

export function result(entries: number, rejected: readonly RejectedEntry[] = []): RefreshResult {
  return { rejected, events: [], entries };
}
