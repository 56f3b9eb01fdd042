import type { RequestHandler } from 'express';
import type { VNode } from 'preact';
import type { LoggedRequest } from '../api/request-log.ts';
import type { AccountData } from '../domain/account.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { TimeRange } from '../domain/interval.ts';
import type { AccountView } from '../exposition/catalogue/family.ts';
import type { MetricsMode } from '../exposition/catalogue/served-families.ts';
import type { Secret } from '../lib/secret.ts';
import type { ItemStates } from '../slo/reported-states.ts';
import type { ItemPast } from '../state/items/item-past.ts';
import type { LeftItem } from '../state/items/removed-items.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';

/** The data of the views. Reading them never calls the API. */
export interface StatusSource {
  accounts(): readonly AccountStatus[];
  /** Undefined, or absent, if no other replica shares the accounts. */
  replicas?(): ReplicasView | undefined;
  /** Undefined, or absent, while every scraper reads `/metrics` with its default limits. */
  largePage?(): LargePage | undefined;
  served?(): ServedSeries;
}

/** The size of a scrape of the whole page, and the setting that decides it. */
export interface ServedSeries {
  /** The setting `metrics`. */
  readonly mode: MetricsMode;
  /** Undefined before the first scrape. */
  readonly series: number | undefined;
}

/** The plain text of `/metrics` exceeds what VictoriaMetrics and vmagent read by default. */
export interface LargePage {
  readonly bytes: number;
  readonly limitBytes: number;
}

/** Shows and reloads the configuration. */
export interface ConfigurationSource {
  /** As YAML, with `<secret>` instead of each secret. */
  shown(): string;
  readonly last: LastReload;
  /** Reloads the configuration; resolves when it is in use or was rejected. */
  reload(): Promise<LastReload>;
}

/** The state of the store, and its backups. */
export interface StorageSource {
  /** Absent while writes succeed. */
  readonly failure: StorageFailure | undefined;
  /** Writes a copy. Resolves with its path or a problem. Absent if nothing is stored. */
  backup?(): Promise<BackupResult>;
}

export type BackupResult = { readonly path: string } | { readonly failure: string };

/** Nothing can be stored; meanwhile the last durable counters are served. */
export interface StorageFailure {
  readonly reason: string;
  readonly message: string;
  /** UNIX seconds. */
  readonly sinceSeconds: number;
}

export interface LastReload {
  /** The reason why the reload failed; absent after a success. */
  readonly failure?: string;
  /** The configuration is valid, but could not be applied: a later try may succeed. */
  readonly isUnapplied?: true;
  /** UNIX seconds. */
  readonly succeededAtSeconds: number;
}

/** The data of an account that the views show. */
export interface AccountStatus extends Omit<AccountView, 'schedule' | 'failure'> {
  readonly snapshot: AccountSnapshot;
  /** The reason for which the check list cannot be read; absent if it was not determined. */
  readonly failure?: AccountView['failure'];
  /** The last requests to the service, newest first; absent when they were not recorded. */
  readonly requests?: () => readonly LoggedRequest[];
  /** Last outages, hourly averages, maintenance. */
  readonly past?: OfItems<ItemPast>;
  /** Absent if nothing is counted. */
  readonly states?: StatesView;
  /** Absent while there is no plan. */
  readonly plan?: PlanView;
  /** The service's clock minus the clock of this machine; absent before the first response. */
  readonly clockOffsetSeconds?: number;
  /** Accounts with the same credentials, which share the request budget; absent without any. */
  readonly budgetSharedWith?: readonly string[];
  /** The optional features. */
  readonly features?: readonly FeatureView[];
  /** Absent if nothing can be asked for. */
  readonly causes?: CausesSource;
  /** A check or a transaction that has left within the last day; undefined for any other. */
  readonly leftItem?: (kind: 'check' | 'transaction', id: number) => LeftItem | undefined;
  /** Seconds until the next refresh of an item, if the budget permits; undefined without one. */
  readonly nextReadSeconds?: (dataset: DatasetName, id: number) => number | undefined;
}

/** Reads the causes of outages of checks when somebody asks for them, within the budget. */
export interface CausesSource {
  /** `waiting`: to be read. `answered`: read, with or without a cause. Undefined if nobody asked. */
  stateOf(
    checkId: number,
    outage: Pick<TimeRange, 'fromSeconds'>,
  ): 'waiting' | 'answered' | undefined;
  /** The number of requests that the causes of an outage take; 0 if they cannot be read. */
  requests(checkId: number): number;
  /** Returns false if too many outages wait. An open outage ends at Infinity. */
  ask(checkId: number, outage: TimeRange): boolean;
  /** Seconds until the first request may be sent; Infinity while there is no budget. */
  waitSeconds(checkId: number): number;
}

/** Undefined for an unknown item. */
interface OfItems<T> {
  ofCheck(id: number): T | undefined;
  ofTransaction(id: number): T | undefined;
}

/** The states of 35 days and the time up to which they are known. */
interface StatesView extends OfItems<ItemStates> {
  /** Absent until it is read. */
  readonly maintenance?: AccountData['maintenance'];
}

export interface PlanView {
  /** The planned rate of all requests. */
  readonly requestsPerSecond: number;
  /** The planned rate of each dataset. */
  readonly datasets?: readonly {
    readonly name: DatasetName;
    readonly requestsPerSecond: number;
    /** The time between two refreshes of one item. */
    readonly intervalSeconds?: number;
    /** The same in the long run, without the present spending of others. */
    readonly lastingIntervalSeconds?: number;
  }[];
  /** Absent when the budget is sufficient. */
  readonly shortfall?: ShortfallView;
  /** Outages are seen late until the short window resets. */
  readonly isLateNow?: true;
}

interface ShortfallView {
  /** Outages are seen late. Otherwise only slower data are older than they should be. */
  readonly isStatusLate?: true;
  /** The datasets that are refreshed too rarely. */
  readonly datasets: readonly DatasetName[];
  readonly missingPerHour: number;
  /** The datasets to disable, so that the others are refreshed often enough. */
  readonly switchOff: readonly DatasetName[];
  /** False if some of the others stay too slow even then. */
  readonly enough: boolean;
}

/** External links of the views of an item; each is optional. */
export interface ViewLinks {
  /** Addresses of the service's web pages; `{id}` is replaced by the id. */
  readonly check?: string;
  readonly transaction?: string;
  /** The root of the Grafana that has the dashboards. */
  readonly grafana?: string;
}

/** An account that several replicas share. */
export interface SharedAccountView {
  readonly account: string;
  /** This replica serves it. */
  readonly isHeld: boolean;
  /** The name of the replica that owns it; absent if none does, or if it is not known. */
  readonly holder?: string;
  /** The address of that replica's views, if one is configured. */
  readonly url?: string;
  /** UNIX time of the last change of its owner. */
  readonly sinceSeconds?: number;
  /** Grows with each change of its owner. */
  readonly number?: number;
  /** How long this replica may serve it without another renewal; 0 if it does not. */
  readonly remainingSeconds: number;
}

/** The replicas that share the accounts of a database, as this replica knows them. */
export interface ReplicasView {
  /** The name of this replica. */
  readonly replica: string;
  /** The last attempt to renew and read the leases succeeded. */
  readonly isDatabaseUp: boolean;
  readonly accounts: readonly SharedAccountView[];
  /** Their section of the status page. */
  section?(): VNode;
}

/** What an optional feature shows of an account. */
export interface FeatureView {
  /** The field of `/status.json`. */
  readonly name: string;
  /** Its value; undefined if there is nothing to show. */
  json(): object | undefined;
  /** The note on the status page, at a time of the service's clock. */
  note(nowSeconds: number): VNode | null | undefined;
  /** Its part of the view of a group; absent or undefined without one. */
  groupPart?(name: string, href: Href): Promise<ViewPart | undefined>;
  /** The recorded days of checks, of the months that overlap a range; by id, oldest first. */
  recordedDays?(
    ids: ReadonlySet<number>,
    range: TimeRange,
  ): Promise<ReadonlyMap<number, readonly RecordedDay[]>>;
}

/** What counts of a day: not maintenance, and not time that is unknown or not monitored. */
export interface RecordedDay {
  readonly fromSeconds: number;
  readonly up: number;
  readonly down: number;
}

/** Returns a link of a view to a path of the exporter without a leading slash. */
export type Href = (path: string) => string;

/** A part of a view that is not the view's own. */
export interface ViewPart {
  /** Unique in the view. */
  readonly id: string;
  readonly title: string;
  readonly body: VNode;
}

/** A path, and what responds to its requests. `HEAD` is answered like `GET`. */
export interface Route {
  readonly path: string;
  /** The text of its link in the header of the views; absent if it has none. */
  readonly title?: string;
  readonly get?: RequestHandler;
  /** Browsers may send it only from a view of the exporter itself. */
  readonly post?: RequestHandler;
}

/** Requests the check list of an account at once. */
export interface Hook {
  readonly secret: Secret;
  called(): void;
}

/** Nothing was read yet, or the database is away, so that this replica may serve no account. */
export type UnreadyReason = 'no data' | 'no database';

export interface Health {
  /** Returns whether the poller's loop runs; does not depend on the API. */
  alive(): boolean;
  /** Returns why there are no data to serve; undefined if there are. */
  unready(): UnreadyReason | undefined;
}

/** Receives the failures of handlers; a pino logger is one. */
export interface HttpLogger {
  error(fields: object, message: string): void;
}
