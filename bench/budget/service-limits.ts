import { type RateLimits, type WindowName, windowNames } from '../../src/domain/rate-limit.ts';

export interface AccountLimits {
  readonly short: number;
  readonly long: number;
}

export const windowMilliseconds: { readonly [W in WindowName]: number } = {
  short: 3_600_000,
  long: 30 * 86_400_000,
};

interface CountedWindow {
  limit: number;
  used: number;
  endsAt: number;
}

/**
 * The service's counters: two fixed windows (API 3.1, section 8). Each opens with the first request
 * after the previous one ended. Refused requests count too.
 */
export class ServiceLimits {
  readonly windows: { readonly [W in WindowName]: CountedWindow };

  constructor({ short, long }: AccountLimits) {
    this.windows = {
      short: { limit: short, used: 0, endsAt: 0 },
      long: { limit: long, used: 0, endsAt: 0 },
    };
  }

  /** Counts requests that arrive together. Returns the number of refused ones. */
  spend(requests: number, now: number): number {
    let refused = 0;
    for (const name of windowNames) {
      const window = this.windows[name];
      if (now >= window.endsAt) {
        window.endsAt = now + windowMilliseconds[name];
        window.used = 0;
      }
      window.used += requests;
      refused = Math.max(refused, Math.min(requests, window.used - window.limit));
    }
    return refused;
  }

  /** Moves the account to another plan. The used share of each limit stays the same. */
  resize(limits: AccountLimits): void {
    for (const name of windowNames) {
      const window = this.windows[name];
      window.used = Math.round((window.used * limits[name]) / window.limit);
      window.limit = limits[name];
    }
  }

  /** The remaining requests; negative if requests were refused. */
  remaining(name: WindowName): number {
    const { limit, used } = this.windows[name];
    return limit - used;
  }

  headers(now: number): RateLimits {
    const reading = (name: WindowName) => ({
      remaining: Math.max(0, this.remaining(name)),
      resetSeconds: Math.floor((this.windows[name].endsAt - now) / 1000),
    });
    return { short: reading('short'), long: reading('long') };
  }
}
