import type { RateLimits, WindowName, WindowReport } from '../../src/domain/rate-limit.ts';

interface TrueWindow {
  readonly limit: number;
  readonly lengthMilliseconds: number;
  used: number;
  endsAt: number;
}

/**
 * The service's side of the limits, written from its documentation: two fixed windows. Each opens
 * with the first request after the previous one ended. Every request counts as one, including
 * refused ones.
 */
export class SimulatedLimits {
  readonly windows: { readonly [W in WindowName]: TrueWindow };

  constructor(short: [limit: number, seconds: number], long: [limit: number, seconds: number]) {
    this.windows = { short: trueWindow(...short), long: trueWindow(...long) };
  }

  remaining(name: WindowName, now: number): number {
    const window = this.windows[name];
    return now >= window.endsAt ? window.limit : Math.max(0, window.limit - window.used);
  }

  request(now: number): { statusCode: number; limits: RateLimits } {
    const refused = this.remaining('short', now) === 0 || this.remaining('long', now) === 0;
    return {
      statusCode: refused ? 429 : 200,
      limits: { short: this.#count('short', now), long: this.#count('long', now) },
    };
  }

  #count(name: WindowName, now: number): WindowReport {
    const window = this.windows[name];
    if (now >= window.endsAt) {
      window.endsAt = now + window.lengthMilliseconds;
      window.used = 0;
    }
    window.used += 1;
    return {
      remaining: this.remaining(name, now),
      resetSeconds: Math.floor((window.endsAt - now) / 1000),
    };
  }
}

function trueWindow(limit: number, seconds: number): TrueWindow {
  return { limit, lengthMilliseconds: seconds * 1000, used: 0, endsAt: Number.NEGATIVE_INFINITY };
}
