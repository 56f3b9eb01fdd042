import type { Allowances } from '../domain/dataset.ts';
import { batchBurst } from './batches.ts';
import { type EventAllowance, RateMeter } from './event-allowance.ts';
import { type Plan, spareShare } from './plan.ts';
import type { AllowanceName } from './refresh-task.ts';
import { TokenBucket } from './token-bucket.ts';

/** Planned refreshes may exceed their rate by this factor, so that delays are made up. */
const headroom = 1.1;
/** The burst of planned requests. Status datasets get a larger one if their refreshes cost more. */
const plannedBurst = 5;
const eventMemorySeconds = 6 * 3600;
/** Without any requests, status datasets are due once in this time: a probe may be sent. */
export const probeIntervalSeconds = 3600;

const fullAllowances: Allowances = {
  status: Number.POSITIVE_INFINITY,
  event: Number.POSITIVE_INFINITY,
  background: Number.POSITIVE_INFINITY,
};

/** Limits each class to its planned rate. Times are milliseconds of a monotonic clock. */
export class PlannedAllowances {
  readonly #tokens = {
    status: new TokenBucket(),
    event: new TokenBucket(),
    background: new TokenBucket(),
    firstSight: new TokenBucket(),
  } as const satisfies Record<AllowanceName, TokenBucket>;
  readonly #eventMeter = new RateMeter(eventMemorySeconds);
  /** The stored allowances, or full ones without a store, until the first plan is applied. */
  #restored: { readonly allowances: Allowances; readonly at: number } | undefined = {
    allowances: fullAllowances,
    at: 0,
  };
  /** The restored event allowance, until the short window shows the size of bursts. */
  #restoredEvent: { readonly level: number; readonly at: number } | undefined = {
    level: Number.POSITIVE_INFINITY,
    at: 0,
  };

  #isCreditGiven = false;
  /** What is left of the requests that the credit left to events. It is not stored. */
  #kept = 0;

  /** Restores allowances of `elapsedSeconds` ago (at least 0), before the first plan. */
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

  /** The unspent credit of first sight, without the burst, which is refilled. */
  credit(now: number): number {
    return Math.max(0, this.#tokens.firstSight.level(now) - plannedBurst);
  }

  applyPlan(plan: Plan, allowance: EventAllowance, now: number): void {
    const planned = { status: 0, background: 0 };
    let statusCost = 0;
    for (const { isStatus, requestsPerSecond, cost } of plan.datasets) {
      planned[isStatus ? 'status' : 'background'] += requestsPerSecond;
      if (isStatus) statusCost += cost;
    }
    const { status, event, background } = this.#tokens;
    // The burst has room for two refreshes of each dataset, so that a costly one never blocks the
    // others.
    const statusBurst = Math.max(plannedBurst, 2 * statusCost);
    const statusRate = Math.max(planned.status * headroom, statusCost / probeIntervalSeconds);
    status.configure(statusRate, statusBurst, now);
    const backgroundRate = planned.background * headroom + plan.spareRequestsPerSecond * spareShare;
    const backgroundBurst = batchBurst(plan, backgroundRate, plannedBurst);
    background.configure(backgroundRate, backgroundBurst, now);
    event.configure(allowance.requestsPerSecond, allowance.burst, now);
    const { isGuess = false } = allowance;
    this.#planFirstSight(plan.firstSightRequestsPerSecond ?? 0, allowance, now);
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

  /**
   * The credit is given once, when the short window is known, and shrinks with the window. Later it
   * grows only by what events have not needed.
   */
  #planFirstSight(
    requestsPerSecond: number,
    { isGuess = false, credit = 0, kept = 0 }: EventAllowance,
    now: number,
  ): void {
    const { firstSight } = this.#tokens;
    if (isGuess) {
      firstSight.configure(requestsPerSecond, Math.max(plannedBurst, firstSight.level(now)), now);
      return;
    }
    const before = this.#isCreditGiven ? Math.min(firstSight.level(now), credit) : credit;
    const freed = this.#isCreditGiven
      ? Math.min(this.#kept, Math.max(0, credit - Math.max(0, before)))
      : 0;
    this.#kept = this.#isCreditGiven ? this.#kept - freed : kept;
    firstSight.configure(requestsPerSecond, Math.max(plannedBurst, before + freed), now);
    if (!this.#isCreditGiven || freed > 0) firstSight.resume(before + freed, now, now);
    this.#isCreditGiven = true;
  }

  /** Milliseconds until `cost` may be taken; Infinity for never. */
  waitFor(by: AllowanceName, cost: number, now: number): number {
    return this.#tokens[by].waitFor(cost, now);
  }

  /** Returns whether at least half of a burst, and one request, may be sent for events. */
  hasSpareEvent(now: number): boolean {
    const { event } = this.#tokens;
    return event.level(now) >= Math.max(1, event.burst / 2);
  }

  take(by: AllowanceName, cost: number, now: number): void {
    this.#tokens[by].take(cost);
    if (by === 'event') this.#eventMeter.count(cost, now);
  }

  giveBack(by: AllowanceName, cost: number): void {
    this.#tokens[by].giveBack(cost);
  }

  /** Recent requests per second for events. The plan reserves this rate. */
  eventRate(now: number): number {
    return this.#eventMeter.read(now);
  }
}
