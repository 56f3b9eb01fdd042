import { ApiError } from '../api/errors.ts';
import type { Listing, MonitoringService } from '../api/service.ts';
import { overlaps, type TimeRange } from '../domain/interval.ts';
import {
  type MaintenanceSpan,
  type MaintenanceWindow,
  occurrencesWithin,
} from '../domain/maintenance.ts';
import { unixSeconds } from '../lib/clock.ts';
import { plainEqual } from '../lib/plain-equal.ts';
import { alreadyKnown, type Refresh, type RefreshResult, result } from '../schedule/refresh.ts';
import type { Outages } from '../slo/outages.ts';
import type { RefreshContext } from './refresh-context.ts';

const daySeconds = 86_400;
/** Upcoming occurrences are fetched too, so that maintenance begins on time without a request. */
const maintenanceAheadSeconds = 30 * daySeconds;

/** Before a newly failed check is shown, maintenance that is older than this is read again. */
const freshMilliseconds = 60_000;
/** While an outage is open, the windows are read again when they are older than this. */
const openOutageFreshMilliseconds = 45_000;
/** … or than this share of the age of the newest open outage, so that a long one costs little. */
const openOutageAgeShare = 1 / 60;
/** The longest time that a check list waits for maintenance. */
const waitMilliseconds = 10_000;
/** Older maintenance than this, and than three planned intervals, means a gap. */
const gapMilliseconds = 15 * 60_000;
/** The longest time that horizons wait for maintenance. */
const holdMilliseconds = 3_600_000;
/** A refresh within this time after another one is skipped. */
const justNowMilliseconds = 30_000;
/** The account may not read maintenance, so the exporter assumes that there is none. */
const noneReasons: ReadonlySet<string> = new Set([
  'unauthorized',
  'forbidden',
  'not_found',
  'unsupported',
]);

/**
 * Maintenance is known, not known yet, assumed to be what was read earlier (UNIX seconds), or, if
 * nothing was ever read, assumed to be none.
 */
export type MaintenanceKnowledge =
  | { readonly is: 'known' }
  | { readonly is: 'awaited'; readonly why: string }
  | { readonly is: 'earlier'; readonly why: string; readonly readAtSeconds: number }
  | { readonly is: 'none'; readonly why: string };

/**
 * Time is counted only when maintenance is known: after a start, a gap or a failure, maintenance is
 * read before horizons advance. After a start the stored maintenance is used until the next refresh
 * is due, so that a crash loop does not spend the budget. If the account may not read maintenance,
 * none is assumed. Other failures stop horizons for at most an hour.
 */
export class MaintenanceReport {
  readonly #context: RefreshContext;
  readonly #never: string | undefined;
  #reading: Promise<RefreshResult> | undefined;
  /** When maintenance was last read. All three are milliseconds of the monotonic clock. */
  #readAt: number | undefined;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #heldSince: number | undefined;
  #failure: ApiError | undefined;
  /** As last read, even if they could not be stored: then the planned refresh stores them. */
  #windows: readonly MaintenanceWindow[] | undefined;
  /** When the windows alone were read; monotonic milliseconds. */
  #windowsReadAt = Number.NEGATIVE_INFINITY;

  constructor(context: RefreshContext) {
    this.#context = context;
    const { service, isEnabled } = context;
    if (!service.capabilities.has('list_maintenance')) {
      this.#never = `API ${service.version} does not have it`;
    } else if (!isEnabled('maintenance')) {
      this.#never = 'the dataset is switched off';
    }
  }

  get knowledge(): MaintenanceKnowledge {
    if (this.#never !== undefined) return { is: 'none', why: this.#never };
    if (this.#isDenied) return this.#assumed(this.#failure?.message ?? '');
    if (!this.#isMissing) return { is: 'known' };
    const why = this.#failure?.message ?? 'it has not been read since the start or a gap';
    const held = this.#heldFor;
    return held >= holdMilliseconds ? this.#assumed(why) : { is: 'awaited', why };
  }

  #assumed(why: string): MaintenanceKnowledge {
    const age = this.#age;
    if (!Number.isFinite(age)) return { is: 'none', why };
    const readAtSeconds = unixSeconds(this.#context.clock) - Math.floor(age / 1000);
    return { is: 'earlier', why, readAtSeconds };
  }

  /** Reads maintenance, unless it was just read. Rejects with an `ApiError` or a `StoreError`. */
  readonly refresh: Refresh = async (_id, signal, allRead) => {
    const isNew = this.#readAt !== undefined && this.#age < justNowMilliseconds;
    if (isNew && this.#failure === undefined) return alreadyKnown();
    return await this.#read(signal, allRead);
  };

  /** Returns whether the current list may advance horizons. May read maintenance. Never rejects. */
  async isKnownFor(hasNewlyFailed: boolean, signal: AbortSignal): Promise<boolean> {
    if (this.#never !== undefined) {
      await this.#inTime(this.#endEarlier());
      return true;
    }
    const { clock, takeEvent, takeSpareEvent } = this.#context;
    if (this.#isMissing || this.#isDenied) {
      const isTried = clock.monotonic() - this.#attemptedAt < gapMilliseconds;
      const isPaid = () => this.#reading !== undefined || takeEvent('maintenance');
      if (!(this.#failure !== undefined && isTried) && isPaid()) await this.#readInTime(signal);
    } else if (hasNewlyFailed && this.#age > freshMilliseconds && takeEvent('maintenance')) {
      await this.#readInTime(signal);
    } else if (this.#mayBeMadeNow && takeSpareEvent()) {
      await this.#inTime(this.#readEdited(signal));
    }
    if (!this.#isMissing || this.#isDenied) {
      this.#heldSince = undefined;
      return true;
    }
    this.#heldSince ??= clock.monotonic();
    return this.#heldFor >= holdMilliseconds;
  }

  /** Windows that were read before the dataset was switched off are in effect until now. */
  async #endEarlier(): Promise<void> {
    const { state } = this.#context;
    if (!state.maintenance.read?.windows.length) return;
    // If it cannot be stored, the next list tries it again.
    await state.setMaintenance({ windows: [], occurrences: [] }).catch(() => undefined);
  }

  get #isDenied(): boolean {
    return this.#failure !== undefined && noneReasons.has(this.#failure.reason);
  }

  /** Maintenance has not been read since a start, a gap or a failure. */
  get #isMissing(): boolean {
    const { state } = this.#context;
    const interval = (state.datasets.intervalSeconds('maintenance') ?? 0) * 1000;
    const gap =
      this.#readAt === undefined
        ? Math.max(freshMilliseconds, interval)
        : Math.max(gapMilliseconds, 3 * interval);
    return this.#failure !== undefined || this.#age > gap;
  }

  /** The age of the known maintenance in milliseconds, which the previous process may have read. */
  get #age(): number {
    const { clock, state } = this.#context;
    if (this.#readAt !== undefined) return clock.monotonic() - this.#readAt;
    const { ageSeconds = Number.POSITIVE_INFINITY, wallAgeSeconds } =
      state.datasets.of('maintenance');
    return Math.max(ageSeconds, wallAgeSeconds) * 1000;
  }

  get #heldFor(): number {
    return this.#heldSince === undefined ? 0 : this.#context.clock.monotonic() - this.#heldSince;
  }

  /** While an item is down, somebody may make a window for it, which silences its alert. */
  get #mayBeMadeNow(): boolean {
    const { state, clock } = this.#context;
    const { check, transaction } = state.standing.outages;
    const newest = Math.max(newestOpenSeconds(check), newestOpenSeconds(transaction));
    if (!Number.isFinite(newest)) return false;
    const outageAge = clock.now() - newest * 1000;
    const fresh = Math.max(openOutageFreshMilliseconds, openOutageAgeShare * outageAge);
    return Math.min(this.#age, clock.monotonic() - this.#windowsReadAt) > fresh;
  }

  /** Reads the windows and, only if they were edited, everything. */
  async #readEdited(signal: AbortSignal): Promise<void> {
    this.#windowsReadAt = this.#context.clock.monotonic();
    try {
      const { items } = await this.#context.service.listMaintenance(signal);
      if (plainEqual(items, this.#windows)) return;
    } catch (error) {
      // The planned refresh reports a service that fails.
      if (error instanceof ApiError) return;
      throw error;
    }
    await this.#readReported(signal);
  }

  async #readReported(signal: AbortSignal): Promise<void> {
    const { state } = this.#context;
    await this.#read(signal).then(
      ({ entries }) => state.succeeded('maintenance', entries ?? 0),
      (error: unknown) => {
        if (isResponse(error)) state.datasets.failed('maintenance', error);
      },
    );
  }

  #readInTime(signal: AbortSignal): Promise<void> {
    return this.#inTime(this.#readReported(signal));
  }

  async #inTime(read: Promise<void>): Promise<void> {
    const done = new AbortController();
    const late = this.#context.machineClock
      .sleep(waitMilliseconds, done.signal)
      .catch(() => undefined);
    await Promise.race([read, late]);
    done.abort();
  }

  /** Concurrent callers share one request. */
  #read(signal: AbortSignal, allRead?: () => void): Promise<RefreshResult> {
    this.#reading ??= this.#readNow(signal, allRead).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(signal: AbortSignal, allRead?: () => void): Promise<RefreshResult> {
    const { clock } = this.#context;
    const startedAt = clock.monotonic();
    this.#attemptedAt = startedAt;
    try {
      const read = await readMaintenance(this.#context, signal, (windows) => {
        this.#windows = windows;
        allRead?.();
      });
      this.#readAt = startedAt;
      this.#failure = undefined;
      return read;
    } catch (error) {
      if (isResponse(error)) this.#failure = error;
      throw error;
    }
  }
}

/** UNIX seconds; -Infinity if none is open. */
function newestOpenSeconds({ items }: Outages): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const { open, flapping, sinceSeconds, seenAtSeconds, openedAtSeconds } of items.values()) {
    if (!open && flapping?.active !== true) continue;
    const since = openedAtSeconds?.at(-1) ?? sinceSeconds ?? seenAtSeconds ?? 0;
    newest = Math.max(newest, since);
  }
  return newest;
}

function isResponse(error: unknown): error is ApiError {
  return error instanceof ApiError && error.reason !== 'budget' && error.reason !== 'aborted';
}

/**
 * Reads the maintenance windows and their occurrences. The occurrences begin a day before the
 * earliest uncounted time or the last refresh, because a window that was changed since then may
 * begin earlier. They cover at least the history.
 */
async function readMaintenance(
  { service, state, clock }: RefreshContext,
  signal: AbortSignal,
  allRead: (windows: readonly MaintenanceWindow[]) => void,
): Promise<RefreshResult> {
  const now = unixSeconds(clock);
  const readBefore = now - (state.ageSeconds('maintenance', 'account') ?? 0);
  const windows = await service.listMaintenance(signal);
  const period = {
    // Error ratios and months exclude maintenance in their whole range, even if it became known later.
    fromSeconds: Math.min(
      state.earliestHorizonSeconds - daySeconds,
      Math.floor(readBefore) - daySeconds,
      state.maintenance.keptFromSeconds(now),
    ),
    toSeconds: now + maintenanceAheadSeconds,
  };
  const occurrences = await occurrencesOf(windows.items, service, period, signal);
  allRead(windows.items);
  await state.setMaintenance({ windows: windows.items, occurrences: occurrences.items });
  return result(windows.items.length, [...windows.rejected, ...occurrences.rejected]);
}

/**
 * Without windows there are no occurrences, and no request is sent. The service may list only
 * occurrences that begin and end in the requested period, so it contains each one as a whole.
 */
export async function occurrencesOf(
  windows: readonly MaintenanceWindow[],
  service: MonitoringService,
  period: TimeRange,
  signal: AbortSignal,
): Promise<Listing<MaintenanceSpan>> {
  if (windows.length === 0) return { items: [], rejected: [] };
  const computed = windows.flatMap((window) => occurrencesWithin(window, period));
  if (!service.capabilities.has('list_occurrences')) return { items: computed, rejected: [] };
  const { items, rejected } = await service.listOccurrences(spanned(period, computed), signal);
  return { items: items.filter((one) => overlaps(one, period)), rejected };
}

/** The period that contains all of these. */
function spanned(period: TimeRange, ranges: readonly TimeRange[]): TimeRange {
  let { fromSeconds, toSeconds } = period;
  for (const range of ranges) {
    fromSeconds = Math.min(fromSeconds, range.fromSeconds);
    toSeconds = Math.max(toSeconds, range.toSeconds);
  }
  return { fromSeconds, toSeconds };
}
