import { ApiError } from '../api/errors.ts';
import type { MonitoringService, RejectedEntry } from '../api/service.ts';
import type { Check } from '../domain/check.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { TimeRange } from '../domain/interval.ts';
import type { TransactionResponseUnit } from '../domain/transaction.ts';
import { type ReadableClock, type Sleeper, unixSeconds, type WallClock } from '../lib/clock.ts';
import type { MonthCalendar } from '../lib/month-calendar.ts';
import type { AccountState } from '../state/account-state.ts';
import { newestTestOf } from '../tally/list-times.ts';

export interface RefreshEvents {
  /** The data have shown the unit. Called at most once. */
  transactionUnitDetected(unit: TransactionResponseUnit): void;
  /** Reports of this range were incomplete for a day: the rest counts as unmonitored. */
  reportGivenUp(
    dataset: 'outages' | 'history' | 'transactions',
    id: number,
    range: TimeRange,
  ): void;
  /** The check list has a check of a type that is read as `unknown`. */
  typeNotKnown(type: string, id: number): void;
  /** A list has items with more tags than are read. */
  tagsLeftOut(dataset: 'checks' | 'transactions', ids: ReadonlySet<number>): void;
  /** No report was read of a check whose list entry has shown so much that more is not kept. */
  changesLeftOut(id: number): void;
  /** A list has shown a failure of a check, and the report still lacks it 35 minutes later. */
  reportContradicted(id: number, failure: TimeRange): void;
}

export interface RefreshContext {
  readonly service: MonitoringService;
  readonly state: AccountState;
  /** The service's clock. */
  readonly clock: ReadableClock;
  readonly machineClock: WallClock & Sleeper;
  readonly isEnabled: (dataset: DatasetName) => boolean;
  /** Takes the cost of a refresh from the event allowance; false if it is used up. */
  readonly takeEvent: (dataset: DatasetName) => boolean;
  /** Takes one request from the event allowance; false if less than half of a burst is left. */
  readonly takeSpareEvent: () => boolean;
  /** The number of outage reports of the past that the budget allows in this time. */
  readonly pastReportsWithin: (seconds: number) => number;
  readonly serviceTime: ServiceTime;
  /** The months, by which response times are stored. */
  readonly calendar: MonthCalendar;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds: readonly number[];
  /** Counts results and reads the daily average also by country. Needs the dataset `probes`. */
  readonly byCountry: boolean;
  /** The unit of the response times of transactions; detected from the data if absent. */
  readonly transactionResponseUnit?: TransactionResponseUnit;
  readonly events: RefreshEvents;
}

/** Returns false for an undecoded entry: it may be any item that seems to be removed. */
export function isComplete(rejected: readonly RejectedEntry[]): boolean {
  return rejected.every(({ reason }) => reason !== 'shape');
}

/** Throws an `ApiError` for a rejected entry of a report: its time would look unmonitored. */
export function requireComplete(operation: string, [rejected]: readonly RejectedEntry[]): void {
  if (rejected === undefined) return;
  const message = `an entry of the report was rejected (${rejected.reason}: ${rejected.detail})`;
  throw new ApiError({ reason: 'shape', operation, message });
}

interface ServiceTimeOptions {
  readonly clock: ReadableClock;
  /** Contains the stored list until the first list is read. */
  readonly state: { readonly checks: { records(): Iterable<{ readonly entry: Check }> } };
}

/**
 * The earlier of the exporter's and the service's time: data up to this time are complete, even if
 * the exporter's clock is ahead. The newest test shows the service's time; between lists it
 * advances with the monotonic clock. If nothing was tested, the exporter's clock is used.
 */
export class ServiceTime {
  readonly #options: ServiceTimeOptions;
  /** Lower bound of the service's UNIX time minus monotonic time; undefined before a list. */
  #offsetSeconds: number | undefined;

  constructor(options: ServiceTimeOptions) {
    this.#options = options;
  }

  /** Updates from a list that was just read. */
  observe(checks: Iterable<Check>): void {
    const { clock } = this.#options;
    const newest = newestTestOf(checks, unixSeconds(clock)) ?? Number.NEGATIVE_INFINITY;
    const offset = newest - clock.monotonic() / 1000;
    this.#offsetSeconds = Math.max(this.#offsetSeconds ?? offset, offset);
  }

  /** Returns the time in UNIX seconds. */
  passedSeconds(): number {
    const { clock, state } = this.#options;
    if (this.#offsetSeconds === undefined) {
      this.observe([...state.checks.records()].map(({ entry }) => entry));
    }
    const now = unixSeconds(clock);
    const passed = Math.floor((this.#offsetSeconds ?? 0) + clock.monotonic() / 1000);
    return Number.isFinite(passed) ? Math.min(now, passed) : now;
  }
}
