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
 * The service's counters: two fixed windows (API 3.1, section 8) that open with the first request after
 * the last one ended. Refused requests count too.
 */
export class ServiceLimits {
  readonly windows: { readonly [W in WindowName]: CountedWindow };

  constructor({ short, long }: AccountLimits) {
    this.windows = {
      short: { limit: short, used: 0, endsAt: 0 },
      long: { limit: long, used: 0, endsAt: 0 },
    };
  }

  /** Takes in `requests` at once; says how many of them were refused. */
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

  /** The account moves to another plan; what was used counts as the same share of it. */
  resize(limits: AccountLimits): void {
    for (const name of windowNames) {
      const window = this.windows[name];
      window.used = Math.round((window.used * limits[name]) / window.limit);
      window.limit = limits[name];
    }
  }

  /** What is left; negative when requests were refused. */
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
