import { ApiError } from '../api/errors.ts';
import type { Listing } from '../api/service.ts';
import type { TimeRange } from '../domain/interval.ts';
import {
  type MaintenanceSpan,
  type MaintenanceWindow,
  occurrencesWithin,
} from '../domain/maintenance.ts';
import { unixSeconds } from '../lib/clock.ts';
import { type Refresh, type RefreshResult, result } from '../schedule/refresh.ts';
import { historySeconds } from '../slo/state-history.ts';
import type { RefreshContext } from './refresh-context.ts';

const daySeconds = 86_400;
/** Upcoming occurrences are fetched too, so that maintenance begins on time without a request. */
const maintenanceAheadSeconds = 30 * daySeconds;

/** What is older is read again before a check that has just failed is shown. */
const freshMilliseconds = 60_000;
/** A list waits no longer for it. */
const waitMilliseconds = 10_000;
/** What is older than this, and than three planned intervals, leaves a gap. */
const gapMilliseconds = 15 * 60_000;
/** Horizons wait no longer for it. */
const holdMilliseconds = 3_600_000;
/** A refresh so soon after another has no news. */
const justNowMilliseconds = 30_000;
/** The service does not let the exporter read it, so none is assumed. */
const noneReasons: ReadonlySet<string> = new Set([
  'unauthorized',
  'forbidden',
  'not_found',
  'unsupported',
]);

/** What counting rests on: maintenance that was read, none, or nothing known yet. */
export type MaintenanceKnowledge =
  | { readonly is: 'known' }
  | { readonly is: 'awaited'; readonly why: string }
  | { readonly is: 'none'; readonly why: string };

/**
 * Maintenance is known before time is counted: it is read before horizons move on after a start, a gap or
 * a failure. After a start the stored reading serves until the next one is due, so that a crash loop does not
 * spend the budget. Where the account has none to read, none is assumed; other failures hold horizons for an
 * hour.
 */
export class MaintenanceReport {
  readonly #context: RefreshContext;
  readonly #never: string | undefined;
  #reading: Promise<RefreshResult> | undefined;
  /** Monotonic milliseconds. */
  #readAt: number | undefined;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #heldSince: number | undefined;
  #failure: ApiError | undefined;

  constructor(context: RefreshContext) {
    this.#context = context;
    const { service, isEnabled = () => true } = context;
    if (!service.capabilities.has('list_maintenance')) {
      this.#never = `API ${service.version} does not have it`;
    } else if (!isEnabled('maintenance')) {
      this.#never = 'the dataset is switched off';
    }
  }

  get knowledge(): MaintenanceKnowledge {
    if (this.#never !== undefined) return { is: 'none', why: this.#never };
    if (this.#isDenied) return { is: 'none', why: this.#failure?.message ?? '' };
    if (!this.#isMissing) return { is: 'known' };
    const why = this.#failure?.message ?? 'it has not been read since the start or a gap';
    const held = this.#heldFor;
    return held >= holdMilliseconds ? { is: 'none', why } : { is: 'awaited', why };
  }

  /** Reads it, unless it was read just now. Rejects with an `ApiError` or a `StoreError`. */
  readonly refresh: Refresh = async (_id, signal, allRead) => {
    const isNew = this.#readAt !== undefined && this.#age < justNowMilliseconds;
    if (isNew && this.#failure === undefined) return { rejected: [], events: [] };
    return await this.#read(signal, allRead);
  };

  /** Whether horizons may move on by a list that was read just now; it may be read first. Never rejects. */
  async isKnownFor(hasNewlyFailed: boolean, signal: AbortSignal): Promise<boolean> {
    if (this.#never !== undefined) return true;
    const { clock, takeEvent = () => true } = this.#context;
    if (this.#isMissing || this.#isDenied) {
      const isTried = clock.monotonic() - this.#attemptedAt < gapMilliseconds;
      const isPaid = () => this.#reading !== undefined || takeEvent('maintenance');
      if (!(this.#failure !== undefined && isTried) && isPaid()) await this.#readInTime(signal);
    } else if (hasNewlyFailed && this.#age > freshMilliseconds && takeEvent('maintenance')) {
      await this.#readInTime(signal);
    }
    if (!this.#isMissing || this.#isDenied) {
      this.#heldSince = undefined;
      return true;
    }
    this.#heldSince ??= clock.monotonic();
    return this.#heldFor >= holdMilliseconds;
  }

  get #isDenied(): boolean {
    return this.#failure !== undefined && noneReasons.has(this.#failure.reason);
  }

  /** Not read since a start, a gap or a failure. */
  get #isMissing(): boolean {
    const { state } = this.#context;
    const interval = (state.datasets.intervalSeconds('maintenance') ?? 0) * 1000;
    const gap =
      this.#readAt === undefined
        ? Math.max(freshMilliseconds, interval)
        : Math.max(gapMilliseconds, 3 * interval);
    return this.#failure !== undefined || this.#age > gap;
  }

  /** Of the last reading, or of that of the former process. */
  get #age(): number {
    const { clock, state } = this.#context;
    if (this.#readAt !== undefined) return clock.monotonic() - this.#readAt;
    return (state.ageSeconds('maintenance', 'account') ?? Number.POSITIVE_INFINITY) * 1000;
  }

  get #heldFor(): number {
    return this.#heldSince === undefined ? 0 : this.#context.clock.monotonic() - this.#heldSince;
  }

  async #readInTime(signal: AbortSignal): Promise<void> {
    const { state, sleep = async () => {} } = this.#context;
    const done = new AbortController();
    const read = this.#read(signal).then(
      ({ entries }) => state.succeeded('maintenance', entries ?? 0),
      (error: unknown) => {
        if (error instanceof ApiError && error.reason !== 'budget' && error.reason !== 'aborted') {
          state.failed('maintenance', error);
        }
      },
    );
    const late = sleep(waitMilliseconds, done.signal).catch(() => undefined);
    await Promise.race([read, late]);
    done.abort();
  }

  /** Two that ask at once get one answer. */
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
      const read = await readMaintenance(this.#context, signal, allRead);
      this.#readAt = startedAt;
      this.#failure = undefined;
      return read;
    } catch (error) {
      const isAnswer =
        error instanceof ApiError && error.reason !== 'budget' && error.reason !== 'aborted';
      if (isAnswer) this.#failure = error;
      throw error;
    }
  }
}

/**
 * Windows, and their occurrences from a day before the earliest time that is not counted yet, or before the
 * last reading: what was made or changed since then may reach back to it.
 */
async function readMaintenance(
  { service, state, clock }: RefreshContext,
  signal: AbortSignal,
  allRead?: () => void,
): Promise<RefreshResult> {
  const now = unixSeconds(clock);
  const readBefore = now - (state.ageSeconds('maintenance', 'account') ?? 0);
  const windows = await service.listMaintenance(signal);
  const period = {
    // Windows leave out maintenance of their whole length, whenever it became known.
    fromSeconds: Math.min(
      state.earliestHorizonSeconds - daySeconds,
      Math.floor(readBefore) - daySeconds,
      now - historySeconds,
    ),
    toSeconds: now + maintenanceAheadSeconds,
  };
  const occurrences = await occurrencesOf(windows.items, { service, period, signal });
  allRead?.();
  await state.setMaintenance({ windows: windows.items, occurrences: occurrences.items });
  return result(windows.items.length, [...windows.rejected, ...occurrences.rejected]);
}

/** Without windows there are none to ask for. */
async function occurrencesOf(
  windows: readonly MaintenanceWindow[],
  {
    service,
    period,
    signal,
  }: Pick<RefreshContext, 'service'> & {
    readonly period: TimeRange;
    readonly signal: AbortSignal;
  },
): Promise<Listing<MaintenanceSpan>> {
  if (windows.length === 0) return { items: [], rejected: [] };
  if (service.capabilities.has('list_occurrences')) return service.listOccurrences(period, signal);
  return { items: windows.flatMap((window) => occurrencesWithin(window, period)), rejected: [] };
}
