import { z } from 'zod';
import { type WindowName, windowNames } from '../domain/rate-limit.ts';
import type { MonotonicClock } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import { amount, optional, type TypeOf } from '../lib/schema.ts';
import type { BudgetNote } from './budget-note.ts';
import type { BudgetMode, BudgetView } from './budget-view.ts';
import type { RequestOutcome } from './gate.ts';
import { RefusalHold } from './refusal-hold.ts';
import { defaultReserve, type Reserve, type Reserves } from './reserve.ts';
import type { ResponseKind } from './unreported-requests.ts';
import { WindowLedger, type WindowSnapshot, windowSnapshotSchema } from './window-ledger.ts';

/** The stored form of a ledger: durations, because the monotonic clock restarts. */
export const ledgerSnapshotSchema = z.object({
  windows: z.object({
    short: windowSnapshotSchema.exactOptional(),
    long: windowSnapshotSchema.exactOptional(),
  } satisfies Record<WindowName, z.ZodType>),
  /** Seconds for which no request may be sent because of a 429 without an exhausted window. */
  holdSeconds: z.number(),
  /** The number of consecutive 429s without an exhausted window. */
  refusals: amount,
  /** Seconds since the last request was sent. */
  idleSeconds: optional.amount,
  /** The windows are those of other credentials, as `restoreIfSame` describes. */
  isDoubted: optional.yes,
});
type LedgerSnapshot = TypeOf<typeof ledgerSnapshotSchema>;

/** A request that the ledger has counted. */
export interface Admission {
  readonly order: number;
  readonly at: number;
  readonly releasedBefore: number;
}

/** An account that spends from a ledger. */
interface LedgerUser {
  /** By default a fifth of each window. */
  readonly reserve?: Reserves;
  /** The part that it plans with. */
  readonly share: () => number;
}

interface LedgerOptions {
  readonly clock: MonotonicClock;
  readonly random: Random;
}

/** After this idle time, one request probes exhausted windows. A hold after a 429 delays it. */
const probeMilliseconds = 3_600_000;
/** A restored budget waits at least this long, so that a crash loop does not probe each time. */
const probeAfterRestartMilliseconds = 600_000;

/** The long windows of two accounts of the service seldom end within this time of each other. */
const sameWindowSeconds = 60;

/**
 * What the service counts for one set of credentials: the requests of all accounts that have them.
 * It keeps the largest reserve of these accounts.
 */
export class SharedLedger {
  readonly #clock: MonotonicClock;
  readonly #ledgers: { readonly [W in WindowName]: WindowLedger };
  readonly #hold: RefusalHold;
  readonly #users = new Map<object, LedgerUser>();
  #onNote: ((note: BudgetNote) => void) | undefined;
  #order = 0;
  #released = 0;
  #inFlight = 0;
  #admittedAt = Number.NEGATIVE_INFINITY;
  /** Seconds since the restored snapshot was stored. */
  #restoredAge = Number.POSITIVE_INFINITY;
  /**
   * What was stored with other credentials, until a response shows whose windows those are; and when
   * it was stored, in seconds of the monotonic clock.
   */
  #doubted: { readonly snapshot: LedgerSnapshot; readonly atSeconds: number } | undefined;

  constructor({ clock, random }: LedgerOptions) {
    this.#clock = clock;
    const ledger = (name: WindowName) =>
      new WindowLedger(
        name,
        () => this.#reservesOf(name),
        (note) => this.#onNote?.(note),
      );
    this.#ledgers = { short: ledger('short'), long: ledger('long') };
    this.#hold = new RefusalHold(random);
  }

  join(account: object, user: LedgerUser): void {
    this.#users.set(account, user);
  }

  leave(account: object): void {
    this.#users.delete(account);
  }

  get isInFlight(): boolean {
    return this.#inFlight > 0;
  }

  /** After a 429 that no exhausted window explains. */
  get isProbing(): boolean {
    return this.#hold.probing;
  }

  get holdSeconds(): number {
    return Math.max(0, this.#hold.until - this.#clock.monotonic()) / 1000;
  }

  /** Only one request may be in flight. */
  get isUncertain(): boolean {
    return this.#uncertain(this.#clock.monotonic());
  }

  get mode(): BudgetMode {
    const ledgers = this.#all();
    if (ledgers.some((ledger) => ledger.silent)) return 'fallback';
    return ledgers.every((ledger) => ledger.known) ? 'headers' : 'learning';
  }

  /** Counts a request that is sent now. */
  admit(): Admission {
    this.#admittedAt = this.#clock.monotonic();
    this.#inFlight += 1;
    return { order: this.#order++, at: this.#admittedAt, releasedBefore: this.#released };
  }

  /** Returns whether the response reported both windows. */
  release(
    admission: Admission,
    outcome: RequestOutcome,
    onNote: (note: BudgetNote) => void,
  ): boolean {
    const now = this.#clock.monotonic();
    this.#onNote = onNote;
    const flight = {
      admittedOrder: admission.order,
      admittedAt: admission.at,
      releasedMeanwhile: this.#released - admission.releasedBefore,
      releasedOrder: this.#order++,
      releasedAt: now,
    };
    this.#inFlight -= 1;
    this.#released += 1;
    this.#restoreDoubted(outcome);
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
    return taught;
  }

  exhaustedWindows(): WindowName[] {
    const now = this.#clock.monotonic();
    return windowNames.filter((name) => this.#ledgers[name].exhausted(now, this.#inFlight));
  }

  /** Milliseconds until a probe; Infinity with a request in flight or without exhausted windows. */
  msUntilProbe(): number {
    if (this.#inFlight > 0 || this.exhaustedWindows().length === 0) {
      return Number.POSITIVE_INFINITY;
    }
    const now = this.#clock.monotonic();
    const at = Math.max(now, this.#hold.until, this.#admittedAt + probeMilliseconds);
    return at - now;
  }

  /** Milliseconds until a request of an account that owes until then; Infinity if a response decides. */
  msUntil(owedUntil: number): number {
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

  /**
   * Requests per second of each window that an account with this share may spend until the reset;
   * undefined of a window that is unknown.
   */
  rates(share: number): (number | undefined)[] {
    const now = this.#clock.monotonic();
    const here = Math.max(share, this.#shareOfUsers);
    return this.#all().map((ledger) => {
      const rate = ledger.silent ? undefined : ledger.rate(now, this.#inFlight, here);
      return rate === undefined ? undefined : (rate * share) / here;
    });
  }

  view(): Pick<BudgetView, 'mode' | 'windows' | 'paused' | 'inFlight'> {
    const now = this.#clock.monotonic();
    const short = this.#ledgers.short.view(now, this.#inFlight);
    const long = this.#ledgers.long.view(now, this.#inFlight);
    return {
      mode: this.mode,
      windows: { ...(short && { short }), ...(long && { long }) },
      paused: this.isProbing || this.exhaustedWindows().length > 0,
      inFlight: this.#inFlight,
    };
  }

  /** With the time of the last request. */
  snapshot(): LedgerSnapshot & { readonly admittedAt: number } {
    const now = this.#clock.monotonic();
    const short = this.#ledgers.short.snapshot(now, this.#inFlight);
    const long = this.#ledgers.long.snapshot(now, this.#inFlight);
    const admittedAt = this.#admittedAt;
    return {
      windows: { ...this.#doubtedWindows(), ...(short && { short }), ...(long && { long }) },
      holdSeconds: this.holdSeconds,
      refusals: this.#hold.refusals,
      ...(Number.isFinite(admittedAt) && { idleSeconds: (now - admittedAt) / 1000 }),
      ...(this.#doubted && { isDoubted: true as const }),
      admittedAt,
    };
  }

  /**
   * Continues from the newest of the snapshots of its accounts. What was learnt in this process is
   * newer than all of them.
   */
  restore(snapshot: LedgerSnapshot, elapsed: number): void {
    if (this.#order > 0 || elapsed >= this.#restoredAge) return;
    this.#restoredAge = elapsed;
    if (snapshot.isDoubted) this.restoreIfSame(snapshot, elapsed);
    else this.#restoreWindows(snapshot, elapsed);
    const now = this.#clock.monotonic();
    this.#hold.restore(now + (snapshot.holdSeconds - elapsed) * 1000, snapshot.refusals);
    const idleMilliseconds = ((snapshot.idleSeconds ?? 0) + elapsed) * 1000;
    this.#admittedAt =
      now - Math.min(idleMilliseconds, probeMilliseconds - probeAfterRestartMilliseconds);
  }

  /**
   * Continues from a snapshot of other credentials, but not before a response shows the same long
   * window: the credentials may be those of another account of the service.
   */
  restoreIfSame(snapshot: LedgerSnapshot, elapsed: number): void {
    if (this.#order > 0) return;
    this.#doubted = { snapshot, atSeconds: this.#clock.monotonic() / 1000 - elapsed };
  }

  /** They stay stored while the credentials have a mistake, because its correction continues them. */
  #doubtedWindows(): LedgerSnapshot['windows'] {
    if (this.#doubted === undefined) return {};
    const { snapshot, atSeconds } = this.#doubted;
    const elapsed = this.#clock.monotonic() / 1000 - atSeconds;
    const later = (window: WindowSnapshot) => ({
      ...window,
      resetSeconds: window.resetSeconds - elapsed,
    });
    const { short, long } = snapshot.windows;
    return { ...(short && { short: later(short) }), ...(long && { long: later(long) }) };
  }

  #restoreDoubted({ limits }: RequestOutcome): void {
    if (this.#doubted === undefined || limits?.long === undefined) return;
    const { snapshot, atSeconds } = this.#doubted;
    this.#doubted = undefined;
    const elapsed = this.#clock.monotonic() / 1000 - atSeconds;
    const resetSeconds = (snapshot.windows.long?.resetSeconds ?? 0) - elapsed;
    const isSame = Math.abs(resetSeconds - limits.long.resetSeconds) <= sameWindowSeconds;
    if (isSame) this.#restoreWindows(snapshot, elapsed);
  }

  #restoreWindows({ windows }: LedgerSnapshot, elapsed: number): void {
    for (const name of windowNames) {
      const window = windows[name];
      if (window !== undefined) {
        this.#ledgers[name].restore(window, this.#clock.monotonic(), elapsed);
      }
    }
  }

  #all(): readonly WindowLedger[] {
    return [this.#ledgers.short, this.#ledgers.long];
  }

  #reservesOf(name: WindowName): readonly Reserve[] {
    return Array.from(this.#users.values(), ({ reserve }) => reserve?.[name] ?? defaultReserve);
  }

  /** While an account is replaced, it is here twice. */
  get #shareOfUsers(): number {
    let sum = 0;
    for (const { share } of this.#users.values()) sum += share();
    return Math.min(1, sum);
  }

  #uncertain(now: number): boolean {
    return this.#hold.probing || this.#all().some((ledger) => ledger.uncertain(now));
  }

  /** Whether the 429 reports an exhausted window. Its reset then replaces a hold. */
  #explained(now: number, { limits }: RequestOutcome): boolean {
    return windowNames.some(
      (name) => limits?.[name]?.remaining === 0 && this.#ledgers[name].exhausted(now, 0),
    );
  }
}

export function responseKindOf({ statusCode }: RequestOutcome): ResponseKind {
  if (statusCode === undefined) return 'none';
  return statusCode >= 200 && statusCode < 300 ? 'good' : 'bad';
}
