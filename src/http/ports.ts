import type { LoggedRequest } from '../api/request-log.ts';
import type { UsageSamples } from '../budget/usage-log.ts';
import type { AccountData } from '../domain/account.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { StateSpan } from '../domain/interval.ts';
import type { AccountView } from '../exposition/catalogue/family.ts';
import type { PastItem } from '../history/past-item.ts';
import type { Secret } from '../lib/secret.ts';
import type { ItemStates } from '../slo/reported-states.ts';
import type { BackfillJobState, BackfillRequest } from '../state/backfill/backfill-job.ts';
import type { ItemPast } from '../state/items/item-past.ts';

/** What the pages for people are made from. Reading it never calls the API. */
export interface StatusSource {
  accounts(): readonly AccountStatus[];
}

/** The configuration in use. */
export interface ConfigurationSource {
  /** As YAML, with `<secret>` in place of secrets. */
  shown(): string;
  readonly last: LastReload;
  /** Reads it again; resolves when it is in use, or has been refused. */
  reload(): Promise<LastReload>;
}

/** Where counters and data are kept across restarts. */
export interface StorageSource {
  /** Absent while writes succeed. */
  readonly failure: StorageFailure | undefined;
  /** Writes a copy; resolves with its path, or with why there is none. Absent when there is nothing to copy. */
  backup?(): Promise<BackupResult>;
}

export type BackupResult = { readonly path: string } | { readonly failure: string };

/** Nothing can be stored: the last durable counters are served until it can. */
export interface StorageFailure {
  readonly reason: string;
  readonly message: string;
  /** UNIX seconds. */
  readonly sinceSeconds: number;
}

/** How the last reading of the configuration went. */
export interface LastReload {
  /** Why nothing was changed; absent when it worked. */
  readonly failure?: string;
  /** UNIX seconds. */
  readonly succeededAtSeconds: number;
}

/** What the views show of an account. */
export interface AccountStatus extends Omit<AccountView, 'schedule' | 'failure'> {
  /** What was left of the windows; absent when it was not recorded. */
  readonly budgetHistory?: UsageSamples;
  /** The last requests to the service, newest first; absent when they were not recorded. */
  readonly requests?: () => readonly LoggedRequest[];
  readonly recent: RecentView;
  /** What is kept for pages about one check or transaction. */
  readonly past?: PastView;
  /** Absent where nothing is counted. */
  readonly states?: StatesView;
  /** Absent while there is no plan. */
  readonly plan?: PlanView;
  /** The service's clock less that of this machine; absent before the first reply. */
  readonly clockOffsetSeconds?: number;
  /** Absent when no backfill job was begun. */
  readonly backfill?: BackfillView;
  /** Seconds until a dataset of an item is read next, the budget permitting; undefined when that is not planned. */
  readonly nextReadSeconds?: (dataset: DatasetName, id: number) => number | undefined;
}

/** States of 35 days, last outages, hourly averages; undefined for an unknown item. */
export interface PastView {
  ofCheck(id: number): ItemPast | undefined;
  ofTransaction(id: number): ItemPast | undefined;
}

/** The states of 35 days and how far they reach; undefined for an unknown item. */
export interface StatesView {
  ofCheck(id: number): ItemStates | undefined;
  ofTransaction(id: number): ItemStates | undefined;
  /** Absent while it was not read. */
  readonly maintenance?: AccountData['maintenance'];
}

/** The states of the last 24 hours. */
export interface RecentView {
  readonly checks: StatesByItem;
  readonly transactions: StatesByItem;
}

export interface StatesByItem {
  /** Of one check or transaction; in order, without overlaps, empty when nothing is known. */
  of(id: number): readonly StateSpan[];
}

export interface PlanView {
  /** What the exporter is going to send. */
  readonly requestsPerSecond: number;
  /** What of it goes into each dataset. */
  readonly datasets?: readonly {
    readonly name: DatasetName;
    readonly requestsPerSecond: number;
    /** Between two refreshes of one item. */
    readonly intervalSeconds?: number;
  }[];
  /** Absent when the budget is enough. */
  readonly shortfall?: ShortfallView;
}

export interface ShortfallView {
  /** Outages are seen late. Otherwise only slower data are older than they should be. */
  readonly isStatusLate?: true;
  /** Refreshed more seldom than they should be. */
  readonly datasets: readonly DatasetName[];
  readonly missingPerHour: number;
  /** What to do without, so that the others are refreshed often enough. */
  readonly switchOff: readonly DatasetName[];
  /** False when that does not help all of them. */
  readonly enough: boolean;
}

/** Where the pages of an item lead to outside of the exporter; each is left out where it is not known. */
export interface ViewLinks {
  /** Addresses at the service, in which `{id}` stands for the id. */
  readonly check?: string;
  readonly transaction?: string;
  /** The root of the Grafana that has the dashboards. */
  readonly grafana?: string;
}

/** A backfill job: what of the past before the first day is read, and what is left. */
export type BackfillView = BackfillJobState & {
  /** Until what is open has been read, if the budget goes on as it is; absent while nothing tells. */
  readonly doneInSeconds?: number;
};

/** What a backfill job would cost. */
export interface BackfillCost {
  readonly checks: number;
  readonly transactions: number;
  readonly requests: number;
  /** How long it would take with the budget of now; absent while nothing tells. */
  readonly seconds?: number;
}

export type BackfillOutcome =
  | { readonly view: BackfillView | undefined }
  | { readonly refusal: string; readonly isConflict?: boolean };

/** The backfill job of one account. */
export interface BackfillPort {
  readonly account: string;
  /** Resolves when the job is stored. */
  begin(request: BackfillRequest): Promise<BackfillOutcome>;
  cost(request: BackfillRequest): BackfillCost;
  /** Undefined when no job was begun. */
  readonly view: BackfillView | undefined;
  /** What was read. */
  items(): Iterable<PastItem>;
}

/** Asks for the check list of an account at once. */
export interface Hook {
  readonly secret: Secret;
  called(): void;
}

export interface Health {
  /** The poller's own loop ticks; does not depend on the API. */
  alive(): boolean;
  /** There are data to serve. */
  ready(): boolean;
}

/** Where a failure inside a handler goes; a pino logger is one. */
export interface HttpLogger {
  error(fields: object, message: string): void;
}
