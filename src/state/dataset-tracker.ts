import type { ApiError, ApiErrorReason } from '../api/errors.ts';
import type { DatasetName, DatasetSuccess } from '../domain/dataset.ts';
import { type ReadableClock, unixSeconds, type WallClock } from '../lib/clock.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import { present } from '../lib/present.ts';
import { Refusals } from './refusals.ts';
import type { DatasetFailure, DatasetStatus, DatasetStatuses } from './snapshot.ts';

interface TrackedClocks {
  readonly clock: ReadableClock;
  readonly serviceClock: WallClock;
}

const minStalenessSeconds = 300;
const staleAfterIntervals = 3;

/**
 * The refreshes of one dataset. Ages are measured on the monotonic clock, so that a step of the
 * wall clock neither hides fresh data nor shows old data.
 */
class DatasetTracker {
  readonly #clock: ReadableClock;
  readonly #serviceClock: WallClock;
  readonly #maxStalenessSeconds: number | undefined;
  #intervalSeconds: number | undefined;
  #attemptedAtSeconds: number | undefined;
  #success:
    | {
        atSeconds: number;
        serviceAtSeconds?: number;
        monotonic: number;
        items: number;
        isIncomplete?: boolean;
        isRestored?: true;
      }
    | undefined;
  #failure: DatasetFailure | undefined;
  #hasEnded = false;

  /** By default, data may be three planned intervals old, but at least five minutes. */
  constructor({ clock, serviceClock }: TrackedClocks, maxStalenessSeconds?: number) {
    this.#clock = clock;
    this.#serviceClock = serviceClock;
    this.#maxStalenessSeconds = maxStalenessSeconds;
  }

  /** Sets the planned interval. Data that are refreshed more rarely may be older. */
  planned(intervalSeconds: number): void {
    this.#intervalSeconds = Number.isFinite(intervalSeconds) ? intervalSeconds : undefined;
  }

  /** The data are the newest although nothing was requested, so an earlier failure goes on. */
  known(items: number): void {
    this.#refreshed(items, false);
  }

  /** `isIncomplete`: entries of a list could not be decoded. */
  succeeded(items: number, isIncomplete = false): void {
    this.#refreshed(items, isIncomplete);
    this.#failure = undefined;
  }

  #refreshed(items: number, isIncomplete: boolean): void {
    this.#hasEnded = true;
    this.#attemptedAtSeconds = unixSeconds(this.#clock);
    this.#success = {
      atSeconds: this.#attemptedAtSeconds,
      serviceAtSeconds: unixSeconds(this.#serviceClock),
      monotonic: this.#clock.monotonic(),
      items,
      isIncomplete,
    };
  }

  /** Continues from a success before the start. One in the wall clock's future has age 0. */
  restore({ intervalSeconds, ...success }: Omit<DatasetSuccess, 'name'>): void {
    const { atSeconds } = success;
    const ageMilliseconds = Math.max(0, this.#clock.now() - atSeconds * 1000);
    const monotonic = this.#clock.monotonic() - ageMilliseconds;
    this.#attemptedAtSeconds = atSeconds;
    this.#intervalSeconds = intervalSeconds;
    this.#success = { ...success, monotonic, isRestored: true };
  }

  failed(error: ApiError): void {
    this.#hasEnded = true;
    this.#attemptedAtSeconds = unixSeconds(this.#clock);
    this.#failure = {
      reason: error.reason,
      message: error.message,
      sinceSeconds: this.#failure?.sinceSeconds ?? this.#attemptedAtSeconds,
      consecutive: (this.#failure?.consecutive ?? 0) + 1,
    };
  }

  replaceReason(from: ApiErrorReason, to: ApiErrorReason): void {
    if (this.#failure?.reason === from) this.#failure = { ...this.#failure, reason: to };
  }

  /** True when an attempt since the start has succeeded or failed. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The failure of the last attempt; undefined if it succeeded or there was none. */
  get failure(): DatasetFailure | undefined {
    return this.#failure;
  }

  /** The planned interval; absent without a plan. */
  get intervalSeconds(): number | undefined {
    return this.#intervalSeconds;
  }

  /** The age of the last data; undefined without data. */
  get ageSeconds(): number | undefined {
    if (this.#success === undefined) return undefined;
    return (this.#clock.monotonic() - this.#success.monotonic) / 1000;
  }

  /**
   * By the wall clocks of the machine and of the service, the smaller one, because either may step;
   * 0 without data. While the machine sleeps, its monotonic clock may stand still. Data from before
   * the start have their age by the service: a machine may start with a clock that is not set yet.
   */
  get wallAgeSeconds(): number {
    if (this.#success === undefined) return 0;
    const { atSeconds, serviceAtSeconds, isRestored } = this.#success;
    const byMachine = unixSeconds(this.#clock) - atSeconds;
    if (serviceAtSeconds === undefined) return Math.max(0, byMachine);
    const byService = unixSeconds(this.#serviceClock) - serviceAtSeconds;
    return Math.max(0, isRestored ? byService : Math.min(byMachine, byService));
  }

  get hasSucceeded(): boolean {
    return this.#success !== undefined;
  }

  /** The number of entries in the last successful response; undefined before the first. */
  get items(): number | undefined {
    return this.#success?.items;
  }

  /** When the last data were fetched, by the service's clock; undefined without data. */
  get serviceAtSeconds(): number | undefined {
    return this.#success?.serviceAtSeconds;
  }

  /** Returns whether there are no data, or whether they are too old to be shown. */
  get isStale(): boolean {
    return this.#success === undefined || this.#success.monotonic < this.freshSince;
  }

  get status(): DatasetStatus {
    return present({
      stale: this.isStale,
      intervalSeconds: this.#intervalSeconds,
      lastAttemptAtSeconds: this.#attemptedAtSeconds,
      lastSuccessAtSeconds: this.#success?.atSeconds,
      items: this.#success?.items,
      isIncomplete: this.#success?.isIncomplete || undefined,
      failure: this.#failure,
    });
  }

  /** Data fetched at this moment or later may be shown; monotonic milliseconds. */
  get freshSince(): number {
    const limitSeconds = this.#maxStalenessSeconds ?? this.#defaultStalenessSeconds;
    return this.#clock.monotonic() - limitSeconds * 1000;
  }

  get #defaultStalenessSeconds(): number {
    const limitSeconds = staleAfterIntervals * (this.#intervalSeconds ?? 0);
    return Math.max(minStalenessSeconds, limitSeconds);
  }
}

/** The configured maximum age in seconds, keyed by dataset, if it is not the default. */
export type MaxStaleness = { readonly [D in DatasetName]?: number };

/** A dataset has a tracker from its first attempt or plan; the check list always has one. */
export class DatasetTrackers {
  readonly #clocks: TrackedClocks;
  readonly #maxStaleness: MaxStaleness;
  readonly #checks: DatasetTracker;
  readonly #trackers = new Map<DatasetName, DatasetTracker>();
  readonly #refusals = new Refusals();

  constructor(clocks: TrackedClocks, maxStaleness: MaxStaleness = {}) {
    this.#clocks = clocks;
    this.#maxStaleness = maxStaleness;
    this.#checks = this.of('checks');
  }

  of(dataset: DatasetName): DatasetTracker {
    const make = () => new DatasetTracker(this.#clocks, this.#maxStaleness[dataset]);
    return getOrMake(this.#trackers, dataset, make);
  }

  /** Applies planned intervals in seconds. A dataset without one would be shown as stale. */
  planned(intervals: ReadonlyMap<DatasetName, number>): void {
    for (const name of [...this.#trackers.keys()]) {
      if (name !== 'checks' && !intervals.has(name)) this.#trackers.delete(name);
    }
    for (const [name, intervalSeconds] of intervals) this.of(name).planned(intervalSeconds);
  }

  /** Returns the error with the reason that is shown, which depends on other responses. */
  failed(dataset: DatasetName, error: ApiError): ApiError {
    const judged = this.#refusals.judged(dataset, error, this.#clocks.clock.monotonic());
    this.of(dataset).failed(judged);
    if (this.#refusals.isUnauthorized) this.#replaceReason('refused', 'unauthorized');
    if (judged.reason === 'blocked_or_unauthorized') {
      this.#replaceReason('blocked', judged.reason);
    }
    return judged;
  }

  /** More than a single request shows that the credentials are not accepted. */
  get isUnauthorized(): boolean {
    return this.#refusals.isUnauthorized;
  }

  /**
   * The service responded to a request, so the credentials are accepted. Datasets that it refused
   * have not been read since: they still fail, but not because of the credentials.
   */
  responded(): void {
    this.#refusals.succeeded();
    this.#replaceReason('unauthorized', 'refused');
    this.#replaceReason('blocked_or_unauthorized', 'blocked');
  }

  /** Later responses showed another reason for earlier failures. */
  #replaceReason(from: ApiErrorReason, to: ApiErrorReason): void {
    for (const tracker of this.#trackers.values()) tracker.replaceReason(from, to);
  }

  /** Entries in the last successful refresh; undefined before the first. */
  itemsIn(dataset: DatasetName): number | undefined {
    return this.#trackers.get(dataset)?.items;
  }

  /** The service's time of the last successful refresh; undefined before the first. */
  serviceAtSeconds(dataset: DatasetName): number | undefined {
    return this.#trackers.get(dataset)?.serviceAtSeconds;
  }

  /** Returns whether no read of the dataset has ended yet, since the start or before it. */
  isUnread(dataset: DatasetName): boolean {
    const tracker = this.#trackers.get(dataset);
    return tracker === undefined || !(tracker.hasEnded || tracker.hasSucceeded);
  }

  /** The planned interval; undefined without a plan. */
  intervalSeconds(dataset: DatasetName): number | undefined {
    return this.#trackers.get(dataset)?.intervalSeconds;
  }

  /** Data fetched at this moment or later may be shown; monotonic milliseconds. */
  freshSince(dataset: DatasetName): number {
    // The new tracker is not stored in the map, because a dataset outside the plan would then be
    // shown as stale.
    const unplanned = () => new DatasetTracker(this.#clocks, this.#maxStaleness[dataset]);
    return (this.#trackers.get(dataset) ?? unplanned()).freshSince;
  }

  /** The names of the datasets without fresh data. */
  stale(): string {
    let names = '';
    for (const [name, tracker] of this.#trackers) if (tracker.isStale) names += `${name} `;
    return names;
  }

  statuses(): DatasetStatuses {
    const statuses = [...this.#trackers].map(([name, tracker]) => [name, tracker.status]);
    return { ...Object.fromEntries(statuses), checks: this.#checks.status };
  }

  restore(successes: readonly DatasetSuccess[]): void {
    for (const { name, ...success } of successes) this.of(name).restore(success);
  }

  successes(): DatasetSuccess[] {
    return [...this.#trackers].flatMap(([name, { status, serviceAtSeconds }]) => {
      const { lastSuccessAtSeconds: atSeconds, items = 0, intervalSeconds } = status;
      if (atSeconds === undefined) return [];
      return present({ name, atSeconds, serviceAtSeconds, items, intervalSeconds });
    });
  }
}
