import { z } from 'zod';
import type { WindowName, WindowReport } from '../domain/rate-limit.ts';
import { present } from '../lib/present.ts';
import { amount, optional, type TypeOf } from '../lib/schema.ts';
import type { BudgetNote } from './budget-note.ts';
import type { WindowView } from './budget-view.ts';
import { OthersMeter, othersSnapshotSchema } from './others-meter.ts';
import { type Reserve, reservedRequests } from './reserve.ts';
import { type ResponseKind, UnreportedRequests } from './unreported-requests.ts';
import {
  type End,
  endShift,
  endToleranceMilliseconds,
  type Flight,
  plausible,
  windowEndOf,
} from './window-end.ts';
import { WindowLimit } from './window-limit.ts';

/** The stored form of one window: durations, because the monotonic clock restarts. */
export const windowSnapshotSchema = z.object({
  limit: amount,
  remaining: z.number(),
  /** Requests that `remaining` may not include yet. */
  unreported: amount,
  resetSeconds: z.number(),
  lengthSeconds: amount,
  others: othersSnapshotSchema,
  /** By the shorter memory. */
  othersNow: othersSnapshotSchema.optional(),
  /** The limit before it became smaller. */
  formerLimit: optional.amount,
});
export type WindowSnapshot = TypeOf<typeof windowSnapshotSchema>;

interface Latest {
  readonly remaining: number;
  /** Requests with a response that the service may have counted only after this report. */
  readonly uncounted: number;
  readonly end: End;
  readonly releasedOrder: number;
  readonly releasedAt: number;
}

/**
 * The memory of what others spend, as a share of the window's length. The rate is reduced by what
 * others spend, but never below `minShare` of it.
 */
const othersMemoryShare = 0.25;
/** The memory of what they spend now, which forgets a burst soon after it has ended. */
const burstMemoryShare = 1 / 24;
const minShare = 0.5;
/** After this many successful responses in a row without its limits, a known window is given up. */
const missedUntilSilent = 10;
/** While responses do not report a window, others may spend this share of what is left of it. */
const othersShare = 0.5;
/** The lengths of the service's windows (API 3.1, section 8). */
const standardMilliseconds: { readonly [W in WindowName]: number } = {
  short: 3_600_000,
  long: 30 * 86_400_000,
};
/**
 * Tolerance for the stored reset, in seconds. The stored end is the latest time at which the window
 * can end, so the reset may exceed the plausible maximum.
 */
const roundedSeconds = 60;

/**
 * A lower bound of the remaining requests in one of the service's windows, for any order of the
 * responses. Within a window, the remaining requests only decrease. So of two reports the lower one
 * is later, and includes every request whose response reported more. It may not include requests in
 * flight, or requests whose responses had no limits. Times are milliseconds of the monotonic clock.
 */
export class WindowLedger {
  readonly #name: WindowName;
  readonly #reserves: () => readonly Reserve[];
  readonly #onNote: (note: BudgetNote) => void;
  readonly #limit: WindowLimit;
  #lengthMilliseconds = 0;
  #latest: Latest | undefined;
  readonly #unreported = new UnreportedRequests();
  #others = new OthersMeter();
  #othersNow = new OthersMeter();
  /** This account's requests that ended since the latest report. */
  #ownSince = 0;
  /** Successful responses in a row that did not report this window. */
  #missed = 0;
  #silent = false;
  /** Requests above the reserve that others may spend while responses do not report the window. */
  #othersPart = 0;
  #restored = false;

  constructor(
    name: WindowName,
    reserves: () => readonly Reserve[],
    onNote: (note: BudgetNote) => void,
  ) {
    this.#name = name;
    this.#reserves = reserves;
    this.#onNote = onNote;
    this.#limit = new WindowLimit(name, onNote);
  }

  get limit(): number {
    return this.#limit.requests;
  }

  /**
   * The window is unknown, because successful responses do not report it. A single one may lack the
   * limits, so a known window stays known until its reset, unless ten in a row lack it.
   */
  get silent(): boolean {
    return this.#silent;
  }

  get known(): boolean {
    return this.#latest !== undefined;
  }

  get reserve(): number {
    return Math.max(0, ...this.#reserves().map((reserve) => reservedRequests(reserve, this.limit)));
  }

  /** The latest time at which the window can end; undefined if the window is unknown. */
  get endsAt(): number | undefined {
    return this.#latest?.end.notAfter;
  }

  ended(now: number): boolean {
    return this.#latest !== undefined && now >= this.#latest.end.notAfter;
  }

  /** Returns whether one request must first learn the state of the window. */
  uncertain(now: number): boolean {
    return !this.known || this.#silent || this.#restored || this.ended(now);
  }

  /** The lower bound of the remaining requests, with all requests in flight counted as spent. */
  remaining(inFlight: number): number {
    if (this.#latest === undefined) return 0;
    return this.#latest.remaining - this.#latest.uncounted - this.#unreported.count - inFlight;
  }

  /** Returns whether one more request could use the reserve of the current window. */
  exhausted(now: number, inFlight: number): boolean {
    if (!this.known || this.ended(now)) return false;
    return this.remaining(inFlight) - this.#othersPart - 1 < Math.max(0, this.reserve);
  }

  /**
   * Requests per second that can be spent until the reset, or in a whole new window if this one has
   * ended. Undefined if the window is unknown. The expected spending of others is subtracted, but
   * at most half of the rate. Otherwise the rate would fall steadily while others spend, to nothing
   * at the end of the window. `share` is the part of those that plan together, and see each other as
   * others.
   */
  rate(now: number, inFlight: number, share = 1): number | undefined {
    if (this.#latest === undefined) return undefined;
    const [requests, milliseconds] = this.ended(now)
      ? [this.limit, this.#lengthMilliseconds]
      : [this.remaining(inFlight), this.#latest.end.notAfter - now];
    const rate = (Math.max(0, requests - this.reserve) * 1000) / Math.max(1000, milliseconds);
    const left = rate - this.#othersRate;
    return Math.min(rate * share, Math.max(rate * share * minShare, left));
  }

  /** Records a result; `report` is absent if unreported. Returns whether it was used. */
  record(flight: Flight, report: WindowReport | undefined, response: ResponseKind): boolean {
    this.#ownSince += 1;
    const isPlausible = report !== undefined && plausible(this.#name, report);
    if (isPlausible && this.#limit.agrees(report.remaining)) {
      this.#missed = 0;
      this.#silent = false;
      this.#othersPart = 0;
      this.#read(flight, report);
      return true;
    }
    if (report !== undefined && !isPlausible) {
      this.#onNote({ kind: 'implausible', window: this.#name, ...report });
    }
    this.#unreported.add(flight, response);
    if (response === 'good' && !isPlausible) this.#missedBy(flight);
    return false;
  }

  #missedBy({ admittedAt }: Flight): void {
    this.#missed += 1;
    const isUnknown = !this.known || this.ended(admittedAt);
    if (isUnknown || this.#missed >= missedUntilSilent) this.#silent = true;
    if (this.#missed > 1) return;
    this.#othersPart = Math.floor(Math.max(0, this.remaining(0) - this.reserve) * othersShare);
  }

  /** Drops requests that every later report will include. Call it only if nothing is in flight. */
  prune(now: number): void {
    if (this.known && !this.ended(now)) return;
    this.#unreported.forgetUntil(now - this.#lengthMilliseconds);
  }

  /**
   * The time at which a window that has ended may be probed. Unreported requests may have been
   * counted in the next window. If they are enough to exhaust it, the probe waits until it has
   * ended: one window length after them. Call it only if nothing is in flight.
   */
  probeAt(now: number): number {
    const latest = this.#latest;
    if (latest === undefined || !this.ended(now)) return now;
    const counted = this.#unreported.provenAfter(latest.end.notBefore);
    const spendable = Math.max(1, this.limit - this.reserve);
    const last = counted[spendable - 1];
    return last === undefined ? now : Math.max(now, last + this.#lengthMilliseconds);
  }

  view(now: number, inFlight: number): WindowView | undefined {
    if (this.#latest === undefined) return undefined;
    const ended = this.ended(now);
    if (ended && this.#silent) return undefined;
    return {
      limit: this.limit,
      remaining: Math.max(0, ended ? this.limit - inFlight : this.remaining(inFlight)),
      reserve: this.reserve,
      resetSeconds: Math.max(0, this.#latest.end.notAfter - now) / 1000,
    };
  }

  snapshot(now: number, inFlight: number): WindowSnapshot | undefined {
    if (this.#latest === undefined) return undefined;
    const { former: formerLimit } = this.#limit;
    return {
      limit: this.limit,
      remaining: this.#latest.remaining - this.#latest.uncounted,
      unreported: this.#unreported.count + inFlight,
      resetSeconds: Math.max(0, this.#latest.end.notAfter - now) / 1000,
      lengthSeconds: this.#lengthMilliseconds / 1000,
      others: this.#others.snapshot(),
      othersNow: this.#othersNow.snapshot(),
      ...present({ formerLimit }),
    };
  }

  /** Continues from a stored window. A snapshot with implausible values is ignored. */
  restore(snapshot: WindowSnapshot, now: number, elapsedSeconds: number): void {
    const { limit, resetSeconds } = snapshot;
    const report = { remaining: limit, resetSeconds: Math.max(0, resetSeconds - roundedSeconds) };
    if (!plausible(this.#name, report)) return;
    this.#limit.restore(limit, snapshot.formerLimit);
    this.#lengthMilliseconds = snapshot.lengthSeconds * 1000;
    this.#others.restore(snapshot.others);
    this.#othersNow.restore(snapshot.othersNow ?? snapshot.others);
    this.#restored = true;
    const endsAt = now + (snapshot.resetSeconds - elapsedSeconds) * 1000;
    this.#latest = {
      remaining: snapshot.remaining,
      uncounted: 0,
      end: { notBefore: endsAt, notAfter: endsAt },
      releasedOrder: -1,
      releasedAt: now,
    };
    this.#unreported.restore(snapshot.unreported, now);
  }

  get #othersMemory(): number {
    return this.#lengthMilliseconds * othersMemoryShare;
  }

  get #burstMemory(): number {
    return this.#lengthMilliseconds * burstMemoryShare;
  }

  /** Others are expected to go on at the rate of the longer memory, unless they have stopped. */
  get #othersRate(): number {
    return Math.min(this.#others.rate(this.#othersMemory), this.#othersNow.rate(this.#burstMemory));
  }

  /**
   * Others spent the part of the decrease since the latest report that this account's requests do
   * not explain. After a restart, that part is unknown.
   */
  #noteOthers(latest: Latest, flight: Flight, report: WindowReport): void {
    const fallen = latest.remaining - report.remaining;
    if (this.#restored) return;
    const [spent, milliseconds] = [fallen - this.#ownSince, elapsed(latest, flight)];
    this.#others.add(spent, milliseconds, this.#othersMemory);
    this.#othersNow.add(spent, milliseconds, this.#burstMemory);
  }

  /** The plan became smaller by about this factor. The next reset shows the exact limit. */
  scale(ratio: number): void {
    if (this.#latest === undefined) return;
    const limit = Math.max(this.#latest.remaining, this.limit * ratio);
    if (limit >= this.limit) return;
    this.#limit.shrink(limit);
    this.#forgetOthers();
  }

  /** Others had not spent the missing requests: the limit became smaller. */
  #forgetOthers(): void {
    this.#others = new OthersMeter();
    this.#othersNow = new OthersMeter();
  }

  #isWhole({ resetSeconds }: WindowReport): boolean {
    return [this.#lengthMilliseconds, standardMilliseconds[this.#name]].some(
      (length) => Math.abs(resetSeconds * 1000 - length) <= endToleranceMilliseconds,
    );
  }

  #read(flight: Flight, report: WindowReport): void {
    const isWhole = this.#isWhole(report);
    const untilReset = report.resetSeconds * 1000;
    this.#lengthMilliseconds = Math.max(this.#lengthMilliseconds, untilReset);
    this.#unreported.reportedBy(flight);
    const latest = this.#latest;
    const shift = latest === undefined ? 0 : endShift(latest, flight, report);
    const lower = latest !== undefined && shift === 0 && report.remaining < latest.remaining;
    const sameWindow = latest !== undefined && shift === 0;
    const hasShrunk = this.#limit.learn({
      remaining: report.remaining,
      opens: shift > 0 && isWhole,
      ...(sameWindow && { elapsedSeconds: elapsed(latest, flight) / 1000 }),
      isSecond: latest !== undefined,
      reserve: this.reserve,
    });
    if (hasShrunk) this.#forgetOthers();
    // A request that was sent after a response had arrived is later, even if it reports more. More
    // remaining requests then mean that the service has granted more.
    const later = latest === undefined || flight.admittedOrder > latest.releasedOrder;
    if (!lower && !later && shift <= 0) return;
    const higher = latest !== undefined && shift === 0 && report.remaining > latest.remaining;
    if (lower) this.#noteOthers(latest, flight, report);
    else if (higher) {
      this.#others.takeBack(report.remaining - latest.remaining);
      this.#othersNow.takeBack(report.remaining - latest.remaining);
    }
    this.#ownSince = 0;
    this.#restored = false;
    this.#latest = {
      remaining: report.remaining,
      uncounted: lower ? 0 : flight.releasedMeanwhile,
      end: windowEndOf(flight, report),
      releasedOrder: flight.releasedOrder,
      releasedAt: flight.releasedAt,
    };
  }
}

/** Milliseconds between two responses. */
function elapsed(latest: Latest, flight: Flight): number {
  return Math.max(0, flight.releasedAt - latest.releasedAt);
}
