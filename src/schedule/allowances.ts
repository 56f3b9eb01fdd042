import type { RefreshClass } from '../domain/dataset.ts';
import { type EventAllowance, RateMeter } from './event-allowance.ts';
import { type Plan, spareShare } from './plan.ts';
import type { AllowanceName } from './refresh-task.ts';
import { TokenBucket } from './token-bucket.ts';

/** Planned refreshes may exceed their rate by this factor, so that delays do not accumulate. */
const headroom = 1.1;
/** Burst of planned requests, unless a refresh of a status dataset costs more. */
const plannedBurst = 5;
const eventMemorySeconds = 6 * 3600;
/**
 * When there is nothing to spend, status datasets are still due once in this time, because the budget may allow one
 * probe.
 */
export const probeIntervalSeconds = 3600;

/** Requests that may be sent at once, by class; negative after an overdraft. */
export type Allowances = { readonly [C in RefreshClass]: number } & {
  /** Absent before its credit is given. */
  readonly firstSight?: number;
};

const fullAllowances: Allowances = {
  status: Number.POSITIVE_INFINITY,
  event: Number.POSITIVE_INFINITY,
  background: Number.POSITIVE_INFINITY,
};

/** Keeps each class of refreshes within its planned rate. Times are milliseconds of a monotonic clock. */
export class PlannedAllowances {
  readonly #tokens = {
    status: new TokenBucket(),
    event: new TokenBucket(),
    background: new TokenBucket(),
    firstSight: new TokenBucket(),
    /** It is not stored: after a restart it begins empty. */
    backfill: new TokenBucket(),
  } as const satisfies Record<AllowanceName, TokenBucket>;
  readonly #eventMeter = new RateMeter(eventMemorySeconds);
  /** The allowances of the former process, until the first plan is applied. */
  #restored: { readonly allowances: Allowances; readonly at: number } | undefined = {
    allowances: fullAllowances,
    at: 0,
  };
  /** The restored allowance of events, until the size of their burst is known. */
  #restoredEvent: { readonly level: number; readonly at: number } | undefined = {
    level: Number.POSITIVE_INFINITY,
    at: 0,
  };

  #isCreditGiven = false;

  /** Restores the allowances of `elapsedSeconds` ago (a negative number counts as 0); before the first plan. */
  restore(allowances: Allowances, elapsedSeconds: number, now: number): void {
    const at = now - Math.max(0, elapsedSeconds) * 1000;
    this.#restored = { allowances, at };
    this.#restoredEvent = { level: allowances.event, at };
    this.#isCreditGiven = allowances.firstSight !== undefined;
    this.#tokens.firstSight.configure(0, Number.POSITIVE_INFINITY, now);
    this.#tokens.firstSight.resume(allowances.firstSight ?? 0, now, now);
  }

  /** Undefined before the first plan. */
  levels(now: number): Allowances | undefined {
    if (this.#restored !== undefined) return undefined;
    const { status, event, background, firstSight } = this.#tokens;
    return {
      status: status.level(now),
      event: event.level(now),
      background: background.level(now),
      ...(this.#isCreditGiven && { firstSight: firstSight.level(now) }),
    };
  }

  /** The unspent credit of first sight, without the burst that refills. */
  credit(now: number): number {
    return Math.max(0, this.#tokens.firstSight.level(now) - plannedBurst);
  }

  applyPlan(plan: Plan, allowance: EventAllowance, now: number): void {
    const planned = { status: 0, background: 0, backfill: 0 };
    let statusCost = 0;
    for (const { status, isLast, requestsPerSecond, cost } of plan.datasets) {
      planned[status ? 'status' : isLast ? 'backfill' : 'background'] += requestsPerSecond;
      if (status) statusCost += cost;
    }
    const { status, event, background, backfill } = this.#tokens;
    // Room for two refreshes of each dataset, so that a costly one never blocks the others.
    const statusBurst = Math.max(plannedBurst, 2 * statusCost);
    const statusRate = Math.max(planned.status * headroom, statusCost / probeIntervalSeconds);
    status.configure(statusRate, statusBurst, now);
    const backgroundRate = planned.background * headroom + plan.spareRequestsPerSecond * spareShare;
    background.configure(backgroundRate, plannedBurst, now);
    backfill.configure(planned.backfill, plannedBurst, now);
    event.configure(allowance.requestsPerSecond, allowance.burst, now);
    const { isGuess = false, credit = 0 } = allowance;
    this.#configureFirstSight(
      plan.firstSightRequestsPerSecond ?? 0,
      isGuess ? undefined : credit,
      now,
    );
    if (this.#restoredEvent !== undefined && (this.#restored !== undefined || !isGuess)) {
      event.resume(this.#restoredEvent.level, this.#restoredEvent.at, now);
      if (!isGuess) this.#restoredEvent = undefined;
    }
    if (this.#restored === undefined) return;
    const { allowances, at } = this.#restored;
    status.resume(allowances.status, at, now);
    background.resume(allowances.background, at, now);
    this.#restored = undefined;
  }

  /** The credit is given once, when the short window is known; it shrinks with what the window has left, and never grows again. */
  #configureFirstSight(requestsPerSecond: number, credit: number | undefined, now: number): void {
    const { firstSight } = this.#tokens;
    const known = this.#isCreditGiven ? firstSight.level(now) : (credit ?? 0);
    const burst = Math.max(plannedBurst, Math.min(known, credit ?? known));
    firstSight.configure(requestsPerSecond, burst, now);
    if (this.#isCreditGiven || credit === undefined) return;
    this.#isCreditGiven = true;
    firstSight.resume(credit, now, now);
  }

  /** Milliseconds until `cost` may be taken; Infinity for never. */
  waitFor(by: AllowanceName, cost: number, now: number): number {
    return this.#tokens[by].waitFor(cost, now);
  }

  take(by: AllowanceName, cost: number, now: number): void {
    this.#tokens[by].take(cost);
    if (by === 'event') this.#eventMeter.count(cost, now);
  }

  giveBack(by: AllowanceName, cost: number): void {
    this.#tokens[by].giveBack(cost);
  }

  /** Recent requests per second for events; the plan leaves room for them. */
  eventRate(now: number): number {
    return this.#eventMeter.read(now);
  }
}
