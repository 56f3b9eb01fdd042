import type { RequestOutcome } from '../../src/budget/gate.ts';
import { type RateLimits, windowNames } from '../../src/domain/rate-limit.ts';
import type { Random } from '../../src/lib/random.ts';
import type { EventQueue } from './event-queue.ts';
import { incidents, type Transition } from './incidents.ts';
import { exponential } from './noise.ts';
import { type AccountLimits, ServiceLimits } from './service-limits.ts';

export interface SimulatedAccountOptions {
  readonly checks: number;
  readonly limits: AccountLimits;
  readonly until: number;
  /** Mean milliseconds between two requests of the account's other client. */
  readonly othersEvery: number;
  readonly queue: EventQueue;
  readonly random: Random;
}

/** The service's side of a run, with the real numbers: counters, another client, incidents. */
export class SimulatedAccount {
  readonly #limits: ServiceLimits;
  readonly #transitions: readonly Transition[];
  readonly #options: SimulatedAccountOptions;
  #listed = 0;
  #heard = 0;
  /** Replaces the limits that responses report. */
  lie: ((limits: RateLimits) => RateLimits) | undefined;
  margin = Number.POSITIVE_INFINITY;
  refused = 0;
  others = 0;
  readonly lowest = {
    short: Number.POSITIVE_INFINITY,
    long: Number.POSITIVE_INFINITY,
  };

  constructor(options: SimulatedAccountOptions) {
    this.#options = options;
    this.#limits = new ServiceLimits(options.limits);
    this.#transitions = incidents(options.checks, options.until, options.random);
    this.#scheduleOther(0);
  }

  /** Records the requests of others that the exporter's latest response included. */
  heard(others: number): void {
    this.#heard = Math.max(this.#heard, others);
  }

  get told(): number {
    return this.#heard;
  }

  /**
   * Handles a request of the exporter. `told`: the requests of others that it knew of when it sent
   * this one.
   */
  request(now: number, told: number, isProbe: boolean): RequestOutcome {
    const refused = this.#limits.spend(1, now);
    this.refused += refused;
    for (const name of windowNames) {
      const remaining = this.#limits.remaining(name);
      const reserve = Math.ceil((this.#limits.windows[name].limit - 1) / 5);
      this.lowest[name] = Math.min(this.lowest[name], remaining);
      if (isProbe) continue;
      this.margin = Math.min(this.margin, remaining + this.others - told - reserve);
    }
    const limits = this.#limits.headers(now);
    const said = this.lie?.(limits) ?? limits;
    this.lie = undefined;
    return { statusCode: refused > 0 ? 429 : 200, limits: said };
  }

  resize(limits: AccountLimits): void {
    this.#limits.resize(limits);
    this.margin = Number.POSITIVE_INFINITY;
  }

  /** The changes that a list at `now` shows for the first time. */
  changesUpTo(now: number): readonly Transition[] {
    const from = this.#listed;
    while ((this.#transitions[this.#listed]?.at ?? Number.POSITIVE_INFINITY) <= now) {
      this.#listed += 1;
    }
    return this.#transitions.slice(from, this.#listed);
  }

  #scheduleOther(now: number): void {
    const at = now + exponential(this.#options.othersEvery, this.#options.random);
    this.#options.queue.at(at, () => {
      this.#limits.spend(1, at);
      this.others += 1;
      this.#scheduleOther(at);
    });
  }
}
