import { ApiError } from '../api/errors.ts';
import type { MonitoringService, RejectedEntry } from '../api/service.ts';
import type { Check } from '../domain/check.ts';
import type { DatasetName } from '../domain/dataset.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import type { AccountState } from '../state/account-state.ts';
import { newestTestOf } from '../tally/list-reading.ts';

export interface RefreshContext {
  readonly service: MonitoringService;
  readonly state: AccountState;
  /** The service's clock. */
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** The clock of this machine; the same unless told otherwise. */
  readonly machineClock?: Pick<Clock, 'now'>;
  /** Resolves after so long by the clock of this machine. */
  readonly sleep?: Clock['sleep'];
  /** Whether a dataset is switched on. */
  readonly isEnabled?: (dataset: DatasetName) => boolean;
  /** Takes what a refresh costs from what events may spend; false when that is used up. */
  readonly takeEvent?: (dataset: DatasetName) => boolean;
  readonly serviceTime: ServiceTime;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds: readonly number[];
  /** Results and the average of a day are also told apart by the country of the probe. It takes the dataset `probes`. */
  readonly byCountry: boolean;
}

/** False when the list has an entry that could not be read: it may be any of the items that seem to be gone. */
export function isComplete(rejected: readonly RejectedEntry[]): boolean {
  return rejected.every(({ reason }) => reason !== 'shape');
}

/** A state that is left out would be booked as time in which nothing was monitored. Throws an `ApiError`. */
export function requireComplete(operation: string, [rejected]: readonly RejectedEntry[]): void {
  if (rejected === undefined) return;
  const message = `a state of the report was left out (${rejected.reason}: ${rejected.detail})`;
  throw new ApiError({ reason: 'shape', operation, message });
}

interface ServiceTimeOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Of an account that was stored, with its list. */
  readonly state: { readonly checks: { records(): Iterable<{ readonly entry: Check }> } };
}

/**
 * How far time has come by both clocks, the exporter's and the service's: what is read up to here is all
 * there, even when the exporter's clock is ahead. The service's clock shows in its newest test and runs on
 * like the monotonic one; with nothing tested, the exporter's has to do.
 */
export class ServiceTime {
  readonly #options: ServiceTimeOptions;
  /** UNIX time by the service's clock less monotonic time, at least; undefined until a list is looked at. */
  #offsetSeconds: number | undefined;

  constructor(options: ServiceTimeOptions) {
    this.#options = options;
  }

  /** A list that was read just now. */
  observe(checks: Iterable<Check>): void {
    const { clock } = this.#options;
    const newest = newestTestOf(checks, unixSeconds(clock)) ?? Number.NEGATIVE_INFINITY;
    const offset = newest - clock.monotonic() / 1000;
    this.#offsetSeconds = Math.max(this.#offsetSeconds ?? offset, offset);
  }

  /** UNIX seconds. */
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
