import { z } from 'zod';
import { type WindowName, windowNames } from '../domain/rate-limit.ts';
import type { Clock } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import { amount, optional, type TypeOf } from '../lib/schema.ts';
import type { BudgetNote } from './budget-note.ts';
import type { BudgetMode, BudgetView } from './budget-view.ts';
import type { Gate, Permit, RequestOutcome } from './gate.ts';
import { RefusalHold } from './refusal-hold.ts';
import { defaultReserve, type Reserves } from './reserve.ts';
import type { ResponseKind } from './unreported-requests.ts';
import { WindowLedger, windowSnapshotSchema } from './window-ledger.ts';

/**
 * The stored form of a budget. It has durations instead of times; `restore` receives the time that
 * has passed since. Requests in flight count as spent.
 */
export const budgetSnapshotSchema = z.object({
  windows: z.object({
    short: windowSnapshotSchema.exactOptional(),
    long: windowSnapshotSchema.exactOptional(),
  } satisfies Record<WindowName, z.ZodType>),
  /** Seconds for which no request may be sent because of a 429 without an exhausted window. */
  holdSeconds: z.number(),
  /** The number of consecutive 429s without an exhausted window. */
  refusals: amount,
  /** Seconds until the requests whose responses had no limits are paid for at the fallback rate. */
  owedSeconds: optional.number,
  /** Seconds since the last request was sent. */
  idleSeconds: optional.amount,
});
export type BudgetSnapshot = TypeOf<typeof budgetSnapshotSchema>;

export const defaultFallbackRequestsPerHour = 100;

export interface BudgetEvents {
  /** The mode has changed, not only for one response. */
  budgetModeChanged(mode: BudgetMode): void;
  budgetNoted(note: BudgetNote): void;
}

export interface BudgetOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly random: Random;
  /** The requests reserved for the account's other users; by default a fifth of each window. */
  readonly reserve?: Reserves;
  /** The rate while the service does not report its limits. */
  readonly fallbackRequestsPerHour?: number;
  /** The part that this budget may plan with, if others plan with the rest; by default 1. */
  readonly share?: () => number;
  readonly events?: Partial<BudgetEvents>;
}

interface Admission {
  readonly order: number;
  readonly at: number;
  readonly releasedBefore: number;
}

/** If responses lack limits, a refresh continues while at most this time is unpaid. */
const maxOwedMilliseconds = 3_600_000;
/** After this idle time, one request probes exhausted windows. A hold after a 429 delays it. */
const probeMilliseconds = 3_600_000;
/** A restored budget waits at least this long, so that a crash loop does not probe each time. */
const probeAfterRestartMilliseconds = 600_000;

/**
 * The requests that one account may still spend, learnt from every response. It keeps a reserve in
 * each window. The only exception is one probe request after an idle hour. While the limits are
 * uncertain (at the start, after the end of a window, without headers, after a 429), only one
 * request is in flight at a time, and each request whose response has no limits costs its time at the
 * fallback rate: the next refresh waits until that time has passed.
 */
export class Budget implements Gate {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #ledgers: { readonly [W in WindowName]: WindowLedger };
  readonly #hold: RefusalHold;
  readonly #wholeFallbackRate: number;
  readonly #share: () => number;
  readonly #events: Partial<BudgetEvents>;
  #order = 0;
  #released = 0;
  #inFlight = 0;
  #admittedAt = Number.NEGATIVE_INFINITY;
  /** When the requests without limits in their responses are paid for at the fallback rate. */
  #owedUntil = Number.NEGATIVE_INFINITY;
  /** The last response without limits was successful, so a refresh may continue. */
  #lastResponseGood = false;
  #mode: BudgetMode = 'learning';
  /** The last mode that two responses in a row had in common, or the first. */
  #announcedMode: BudgetMode = 'learning';

  constructor(options: BudgetOptions) {
    this.#clock = options.clock;
    const { reserve, events = {} } = options;
    const onNote = (note: BudgetNote) => events.budgetNoted?.(note);
    this.#events = events;
    this.#ledgers = {
      short: new WindowLedger('short', reserve?.short ?? defaultReserve, onNote),
      long: new WindowLedger('long', reserve?.long ?? defaultReserve, onNote),
    };
    this.#hold = new RefusalHold(options.random);
    this.#wholeFallbackRate =
      (options.fallbackRequestsPerHour ?? defaultFallbackRequestsPerHour) / 3600;
    this.#share = options.share ?? (() => 1);
  }

  /** Requests per second. */
  get #fallbackRate(): number {
    return this.#wholeFallbackRate * this.#share();
  }

  admit(): Permit | undefined {
    const advance = this.#lastResponseGood ? maxOwedMilliseconds : 0;
    const owedUntil = this.#owedUntil - advance;
    if (this.#msUntil(owedUntil) > 0) {
      if (this.#msUntilProbe() > 0) return undefined;
      this.#events.budgetNoted?.({ kind: 'probe', windows: this.#exhaustedWindows() });
    }
    const admission: Admission = {
      order: this.#order++,
      at: this.#clock.monotonic(),
      releasedBefore: this.#released,
    };
    this.#inFlight += 1;
    this.#admittedAt = admission.at;
    let open = true;
    return {
      release: (outcome) => {
        if (!open) throw new Error('a permit can be released only once');
        open = false;
        this.#release(admission, outcome);
      },
    };
  }

  /** Milliseconds until a refresh may begin; Infinity if only a response can decide. */
  msUntilAdmission(): number {
    return Math.min(this.#msUntil(this.#owedUntil), this.#msUntilProbe());
  }

  /** Milliseconds until a probe; Infinity with a request in flight or without exhausted windows. */
  #msUntilProbe(): number {
    if (this.#inFlight > 0 || this.#exhaustedWindows().length === 0) {
      return Number.POSITIVE_INFINITY;
    }
    const now = this.#clock.monotonic();
    const at = Math.max(now, this.#hold.until, this.#admittedAt + probeMilliseconds);
    return at - now;
  }

  #exhaustedWindows(): WindowName[] {
    const now = this.#clock.monotonic();
    return windowNames.filter((name) => this.#ledgers[name].exhausted(now, this.#inFlight));
  }

  #msUntil(owedUntil: number): number {
    const now = this.#clock.monotonic();
    let at = Math.max(now, this.#hold.until);
    for (const ledger of this.#all()) {
      if (ledger.exhausted(at, this.#inFlight)) at = Math.max(at, ledger.endsAt ?? at);
    }
    if (!this.#uncertain(at)) return at - now;
    if (this.#inFlight > 0) return Number.POSITIVE_INFINITY;
    for (const ledger of this.#all()) at = Math.max(at, ledger.probeAt(at));
    return Math.max(at, owedUntil) - now;
  }

  /** Requests per second until the reset; at most the fallback rate while a window is unknown. */
  sustainableRate(): number {
    const now = this.#clock.monotonic();
    const share = this.#share();
    let rate = Number.POSITIVE_INFINITY;
    for (const ledger of this.#all()) {
      const known = ledger.silent ? undefined : ledger.rate(now, this.#inFlight, share);
      rate = Math.min(rate, known ?? this.#fallbackRate);
    }
    return rate;
  }

  view(): BudgetView {
    const now = this.#clock.monotonic();
    const short = this.#ledgers.short.view(now, this.#inFlight);
    const long = this.#ledgers.long.view(now, this.#inFlight);
    const share = this.#share();
    return {
      ...(share < 1 && { share }),
      mode: this.#mode,
      windows: { ...(short && { short }), ...(long && { long }) },
      requestsPerSecond: this.sustainableRate(),
      paused:
        this.#hold.probing || this.#all().some((ledger) => ledger.exhausted(now, this.#inFlight)),
      ...(this.#hold.probing && { retrySeconds: this.#retrySeconds(now) }),
      inFlight: this.#inFlight,
    };
  }

  /**
   * While a request is in flight, the wait is unknown. Its response does not end a hold, so the
   * rest of the hold is returned.
   */
  #retrySeconds(now: number): number {
    const wait = this.msUntilAdmission();
    return Math.max(0, Number.isFinite(wait) ? wait : this.#hold.until - now) / 1000;
  }

  snapshot(): BudgetSnapshot {
    const now = this.#clock.monotonic();
    const short = this.#ledgers.short.snapshot(now, this.#inFlight);
    const long = this.#ledgers.long.snapshot(now, this.#inFlight);
    const owedUntil = this.#inFlight > 0 ? this.#owing(this.#admittedAt) : this.#owedUntil;
    return {
      windows: { ...(short && { short }), ...(long && { long }) },
      holdSeconds: Math.max(0, this.#hold.until - now) / 1000,
      refusals: this.#hold.refusals,
      ...(owedUntil > now && { owedSeconds: (owedUntil - now) / 1000 }),
      ...(Number.isFinite(this.#admittedAt) && { idleSeconds: (now - this.#admittedAt) / 1000 }),
    };
  }

  /**
   * Continues a budget that was stored `elapsedSeconds` ago (a negative number counts as 0). Call
   * it before the first request is admitted. Until a response arrives, only one request is in
   * flight.
   */
  restore(snapshot: BudgetSnapshot, elapsedSeconds: number): void {
    const now = this.#clock.monotonic();
    const elapsed = Math.max(0, elapsedSeconds);
    for (const name of windowNames) {
      const window = snapshot.windows[name];
      if (window !== undefined) this.#ledgers[name].restore(window, now, elapsed);
    }
    this.#hold.restore(now + (snapshot.holdSeconds - elapsed) * 1000, snapshot.refusals);
    if (snapshot.owedSeconds !== undefined) {
      this.#owedUntil = now + (snapshot.owedSeconds - elapsed) * 1000;
    }
    const idleMilliseconds = ((snapshot.idleSeconds ?? 0) + elapsed) * 1000;
    this.#admittedAt =
      now - Math.min(idleMilliseconds, probeMilliseconds - probeAfterRestartMilliseconds);
    this.#updateMode();
  }

  #all(): readonly WindowLedger[] {
    return [this.#ledgers.short, this.#ledgers.long];
  }

  #uncertain(now: number): boolean {
    return this.#hold.probing || this.#all().some((ledger) => ledger.uncertain(now));
  }

  #release(admission: Admission, outcome: RequestOutcome): void {
    const now = this.#clock.monotonic();
    const flight = {
      admittedOrder: admission.order,
      admittedAt: admission.at,
      releasedMeanwhile: this.#released - admission.releasedBefore,
      releasedOrder: this.#order++,
      releasedAt: now,
    };
    this.#inFlight -= 1;
    this.#released += 1;
    let taught = true;
    const { short, long } = this.#ledgers;
    const shortLimit = short.limit;
    for (const name of windowNames) {
      const report = outcome.limits?.[name];
      if (!this.#ledgers[name].record(flight, report, responseKindOf(outcome))) taught = false;
      if (this.#inFlight === 0) this.#ledgers[name].prune(now);
    }
    // In every plan of the service the long limit is 180 times the short one.
    if (short.limit < shortLimit) long.scale(short.limit / shortLimit);
    if (outcome.statusCode === 429) {
      if (!this.#explained(now, outcome)) {
        this.#hold.refused(now, flight.admittedOrder, flight.releasedOrder);
      }
      this.#hold.holdUntil(now + (outcome.retryAfterSeconds ?? 0) * 1000);
    } else if (outcome.statusCode !== undefined) {
      this.#hold.answered(flight.admittedOrder);
    }
    this.#lastResponseGood = !taught && responseKindOf(outcome) === 'good';
    if (taught || (this.#lastResponseGood && !this.#uncertain(now))) {
      this.#owedUntil = Number.NEGATIVE_INFINITY;
    } else if (this.#lastResponseGood) this.#owedUntil = this.#owing(admission.at);
    else this.#owedUntil = Math.max(this.#owedUntil, admission.at + 1000 / this.#fallbackRate);
    this.#updateMode();
  }

  /** The time at which this request, sent at `at`, and all earlier ones are paid for. */
  #owing(at: number): number {
    return Math.max(this.#owedUntil, at) + 1000 / this.#fallbackRate;
  }

  /** Whether the 429 reports an exhausted window. Its reset then replaces a hold. */
  #explained(now: number, { limits }: RequestOutcome): boolean {
    return windowNames.some(
      (name) => limits?.[name]?.remaining === 0 && this.#ledgers[name].exhausted(now, 0),
    );
  }

  #updateMode(): void {
    const ledgers = this.#all();
    const mode = ledgers.some((ledger) => ledger.silent)
      ? 'fallback'
      : ledgers.every((ledger) => ledger.known)
        ? 'headers'
        : 'learning';
    const lasts = mode === this.#mode || this.#mode === 'learning';
    this.#mode = mode;
    if (!lasts || mode === this.#announcedMode) return;
    this.#announcedMode = mode;
    this.#events.budgetModeChanged?.(mode);
  }
}

function responseKindOf({ statusCode }: RequestOutcome): ResponseKind {
  if (statusCode === undefined) return 'none';
  return statusCode >= 200 && statusCode < 300 ? 'good' : 'bad';
}
