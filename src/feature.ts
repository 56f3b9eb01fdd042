import type { MonitoringService } from './api/service.ts';
import type { DeeperPasts } from './datasets/history.ts';
import type { DatasetName } from './domain/dataset.ts';
import type { StateSpan, TimeRange } from './domain/interval.ts';
import type { SiteAt } from './http/common/site.ts';
import type { FeatureView, Route, StatusSource } from './http/ports.ts';
import type { ReadableClock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import type { AccountState } from './state/account-state.ts';
import type { ItemEvents } from './state/leaving.ts';
import type { Policies } from './state/standing/policies.ts';
import type { DocumentChanges, DocumentSet } from './store/format/document-set.ts';
import type { ItemKind, MonthSelection, StoredMonth } from './store/store.ts';

/** The states of an item before its first sight, or until an earlier time. UNIX seconds. */
export interface ReadPast extends TimeRange {
  /** Oldest first, without gaps. */
  readonly states: readonly StateSpan[];
  readonly maintenance: readonly TimeRange[];
}

/** The past that an operator has requested, when all of it that can be read is stored. */
export interface FinishedPasts {
  readonly fromSeconds: number;
  /** It is another one for each request. */
  readonly requestedAtSeconds: number;
  ids(kind: ItemKind): readonly number[];
  /** Undefined if it could not be read. */
  of(kind: ItemKind, id: number): ReadPast | undefined;
}

/** The parts of a running account that its features use. */
export interface AccountParts {
  readonly account: string;
  readonly state: AccountState;
  readonly service: MonitoringService;
  readonly serviceClock: ReadableClock;
  readonly policies: Policies;
  /** Resolves when the documents are durable. */
  readonly storeDocuments: (documents: DocumentChanges) => Promise<void>;
  /** Reads records of months. Rejects with a `StoreError`. */
  readonly readMonth: (selection: MonthSelection) => Promise<readonly StoredMonth[]>;
  /** Whether the configuration, and the version of the API, let the dataset be read. */
  readonly reads: (dataset: DatasetName) => boolean;
  /** Whether the configuration lets the past be read. */
  readonly isPastRead: boolean;
  /** The interval of a dataset that the limits sustain, in seconds; undefined before the first plan. */
  readonly lastingSeconds: (dataset: DatasetName) => number | undefined;
  /** Seconds until as many requests for a deeper past are sent; Infinity if none may be sent. */
  readonly secondsToRead: (deeperRequests: number) => number;
  /** The past that another feature has read; undefined while it has none. */
  readonly finishedPasts: () => FinishedPasts | undefined;
  readonly log: Log;
}

/** An optional feature of one account. */
export interface AccountFeature extends FeatureView, ItemEvents {
  /** What it wants to be read of the past. */
  readonly pasts?: DeeperPasts;
  /** Absent or undefined while nothing was read, or something is left to read. */
  readonly finishedPasts?: FinishedPasts | undefined;
  /** Called after each refresh of the account that sent a request. */
  refreshed(task: { readonly dataset: DatasetName }): void;
  /** Continues from the stored documents. Called after the state is restored, with all its items. */
  restore(documents: DocumentSet): void;
  /** Returns the changes since it was called last, which are stored with the state. */
  takeChanges(): DocumentChanges;
  /** The changes could not be stored, or may not have been: they are taken again. */
  notStored(): void;
}

interface RouteParts {
  /** The features of the accounts that may be shown at this moment. */
  readonly shown: () => readonly AccountFeature[];
  readonly status: StatusSource;
  readonly clock: ReadableClock;
  readonly site: SiteAt;
}

/**
 * A feature that most users never need. The rest of the program knows it only by its line in
 * `src/app/features.ts`, and by that of its command in `src/cli/run.ts`.
 */
export interface Feature {
  ofAccount(parts: AccountParts): AccountFeature;
  routes(parts: RouteParts): readonly Route[];
}
