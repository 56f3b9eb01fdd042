import type { MonotonicClock } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import { optional, type TypeOf } from '../lib/schema.ts';
import type { BudgetNote } from './budget-note.ts';
import type { BudgetMode, BudgetView } from './budget-view.ts';
import type { Gate, Permit, RequestOutcome } from './gate.ts';
import type { Reserves } from './reserve.ts';
import {
  type Admission,
  ledgerSnapshotSchema,
  responseKindOf,
  SharedLedger,
} from './shared-ledger.ts';

/**
 * The stored form of a budget. It has durations instead of times; `restore` receives the time that
 * has passed since. Requests in flight count as spent.
 */
export const budgetSnapshotSchema = ledgerSnapshotSchema.extend({
  /** Seconds until the requests whose responses had no limits are paid for at the fallback rate. */
  owedSeconds: optional.number,
});
export type BudgetSnapshot = TypeOf<typeof budgetSnapshotSchema>;

export const defaultFallbackRequestsPerHour = 100;

export interface BudgetEvents {
  /** The mode has changed, not only for one response. */
  budgetModeChanged(mode: BudgetMode): void;
  budgetNoted(note: BudgetNote): void;
}

export interface BudgetOptions {
  readonly clock: MonotonicClock;
  readonly random: Random;
  /** The requests reserved for the account's other users; by default a fifth of each window. */
  readonly reserve?: Reserves;
  /** The rate while the service does not report its limits. */
  readonly fallbackRequestsPerHour?: number;
  /** The part that this budget may plan with, if others plan with the rest; by default 1. */
  readonly share?: () => number;
  /** That of the accounts with equal credentials; by default one of its own. */
  readonly ledger?: SharedLedger;
  readonly events?: Partial<BudgetEvents>;
}

/** If responses lack limits, a refresh continues while at most this time is unpaid. */
const maxOwedMilliseconds = 3_600_000;
/** Until the request of another account with this ledger is looked at again. */
const otherResponseMilliseconds = 1_000;

/** What may be sent, for those who decide what to send next. */
export interface Spending {
  msUntilAdmission(): number;
  view(): BudgetView;
}

/**
 * The requests that one account may still spend, learnt from every response. It keeps a reserve in
 * each window. The only exception is one probe request after an idle hour. While the limits are
 * uncertain (at the start, after the end of a window, without headers, after a 429), only one
 * request is in flight at a time, and each request whose response has no limits costs its time at the
 * fallback rate: the next refresh waits until that time has passed. Accounts with equal credentials
 * have one ledger, so that each counts the requests of all; each pays at its part of the fallback rate.
 */
export class Budget implements Gate, Spending {
  readonly #clock: MonotonicClock;
  readonly #ledger: SharedLedger;
  readonly #wholeFallbackRate: number;
  readonly #share: () => number;
  readonly #events: Partial<BudgetEvents>;
  /** Of the requests in flight, those of this account. */
  #inFlight = 0;
  /** When the requests without limits in their responses are paid for at the fallback rate. */
  #owedUntil = Number.NEGATIVE_INFINITY;
  /** The last response without limits was successful, so a refresh may continue. */
  #lastResponseGood = false;
  #mode: BudgetMode = 'learning';
  /** The last mode that two responses in a row had in common, or the first. */
  #announcedMode: BudgetMode = 'learning';

  constructor(options: BudgetOptions) {
    const { clock, random, reserve, events = {}, share = () => 1 } = options;
    this.#clock = clock;
    this.#events = events;
    this.#share = share;
    this.#wholeFallbackRate =
      (options.fallbackRequestsPerHour ?? defaultFallbackRequestsPerHour) / 3600;
    this.#ledger = options.ledger ?? new SharedLedger({ clock, random });
    this.#ledger.join(this, { share, ...(reserve && { reserve }) });
  }

  /** The account has no more requests, and its reserve is no longer kept. */
  leave(): void {
    this.#ledger.leave(this);
  }

  /** Requests per second. */
  get #fallbackRate(): number {
    return this.#wholeFallbackRate * this.#share();
  }

  admit(): Permit | undefined {
    const advance = this.#lastResponseGood ? maxOwedMilliseconds : 0;
    const owedUntil = this.#owedUntil - advance;
    if (this.#ledger.msUntil(owedUntil) > 0) {
      if (this.#ledger.msUntilProbe() > 0) return undefined;
      const windows = this.#ledger.exhaustedWindows();
      this.#events.budgetNoted?.({ kind: 'probe', windows });
    }
    const admission = this.#ledger.admit();
    this.#inFlight += 1;
    let open = true;
    return {
      release: (outcome) => {
        if (!open) throw new Error('a permit can be released only once');
        open = false;
        this.#release(admission, outcome);
      },
    };
  }

  /** Milliseconds until a refresh may begin; Infinity if only a response to this account decides. */
  msUntilAdmission(): number {
    const wait = Math.min(this.#ledger.msUntil(this.#owedUntil), this.#ledger.msUntilProbe());
    const isOfOther = wait === Number.POSITIVE_INFINITY && this.#inFlight === 0;
    return isOfOther ? otherResponseMilliseconds : wait;
  }

  /** Requests per second until the reset; at most the fallback rate while a window is unknown. */
  sustainableRate(): number {
    const rates = this.#ledger.rates(this.#share());
    return Math.min(...rates.map((rate) => rate ?? this.#fallbackRate));
  }

  view(): BudgetView {
    const share = this.#share();
    return {
      ...(share < 1 && { share }),
      ...this.#ledger.view(),
      requestsPerSecond: this.sustainableRate(),
      ...(this.#ledger.isProbing && { retrySeconds: this.#retrySeconds() }),
    };
  }

  /**
   * While a request is in flight, the wait is unknown. Its response does not end a hold, so the
   * rest of the hold is returned.
   */
  #retrySeconds(): number {
    const wait = this.msUntilAdmission();
    const isKnown = Number.isFinite(wait) && !this.#ledger.isInFlight;
    return isKnown ? Math.max(0, wait) / 1000 : this.#ledger.holdSeconds;
  }

  snapshot(): BudgetSnapshot {
    const now = this.#clock.monotonic();
    const { admittedAt, ...snapshot } = this.#ledger.snapshot();
    const owedUntil = this.#inFlight > 0 ? this.#owing(admittedAt) : this.#owedUntil;
    return { ...snapshot, ...(owedUntil > now && { owedSeconds: (owedUntil - now) / 1000 }) };
  }

  /**
   * Continues a budget that was stored `elapsedSeconds` ago (a negative number counts as 0). Call
   * it before the first request is admitted. Until a response arrives, only one request is in
   * flight.
   */
  restore(snapshot: BudgetSnapshot, elapsedSeconds: number): void {
    const elapsed = Math.max(0, elapsedSeconds);
    this.#ledger.restore(snapshot, elapsed);
    if (snapshot.owedSeconds !== undefined) {
      this.#owedUntil = this.#clock.monotonic() + (snapshot.owedSeconds - elapsed) * 1000;
    }
    this.#updateMode();
  }

  /** Like `restore`, for a snapshot of other credentials; what they owed is not taken over. */
  restoreIfSame(snapshot: BudgetSnapshot, elapsedSeconds: number): void {
    this.#ledger.restoreIfSame(snapshot, Math.max(0, elapsedSeconds));
  }

  #release(admission: Admission, outcome: RequestOutcome): void {
    this.#inFlight -= 1;
    const taught = this.#ledger.release(admission, outcome, (note) =>
      this.#events.budgetNoted?.(note),
    );
    this.#lastResponseGood = !taught && responseKindOf(outcome) === 'good';
    if (taught || (this.#lastResponseGood && !this.#ledger.isUncertain)) {
      this.#owedUntil = Number.NEGATIVE_INFINITY;
    } else if (this.#lastResponseGood) this.#owedUntil = this.#owing(admission.at);
    else this.#owedUntil = Math.max(this.#owedUntil, admission.at + 1000 / this.#fallbackRate);
    this.#updateMode();
  }

  /** The time at which this request, sent at `at`, and all earlier ones are paid for. */
  #owing(at: number): number {
    return Math.max(this.#owedUntil, at) + 1000 / this.#fallbackRate;
  }

  #updateMode(): void {
    const { mode } = this.#ledger;
    const lasts = mode === this.#mode || this.#mode === 'learning';
    this.#mode = mode;
    if (!lasts || mode === this.#announcedMode) return;
    this.#announcedMode = mode;
    this.#events.budgetModeChanged?.(mode);
  }
}
