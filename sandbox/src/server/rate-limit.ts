import type { Clock } from '../lib/clock.ts';
import { day, hour } from '../lib/instant.ts';
import { valid, whole } from '../lib/options.ts';

/** The two fixed windows in which the service counts an account's requests (API 3.1, section 8). */
type WindowName = 'short' | 'long';

/** What a limit header reports about one window. */
interface WindowReport {
  readonly remaining: number;
  readonly resetSeconds: number;
}

interface FixedWindowOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly limit: number;
  readonly seconds: number;
}

/**
 * A window that opens with the first request after the end of the last window, and has a fixed
 * length.
 */
class FixedWindow {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #limit: number;
  readonly #milliseconds: number;
  #endsAt = Number.NEGATIVE_INFINITY;
  #taken = 0;

  constructor({ clock, limit, seconds }: FixedWindowOptions) {
    this.#clock = clock;
    this.#limit = limit;
    this.#milliseconds = seconds * 1000;
  }

  /** Counts `requests`; returns false when they do not fit. They count in any case. */
  take(requests: number): boolean {
    const now = this.#clock.monotonic();
    if (now >= this.#endsAt) {
      this.#endsAt = now + this.#milliseconds;
      this.#taken = 0;
    }
    this.#taken += requests;
    return this.#taken <= this.#limit;
  }

  /** Spent requests stay spent. */
  resize(limit: number): void {
    this.#limit = limit;
  }

  reading(): WindowReport {
    const left = this.#endsAt - this.#clock.monotonic();
    if (left <= 0) return { remaining: this.#limit, resetSeconds: this.#milliseconds / 1000 };
    return {
      remaining: Math.max(0, this.#limit - this.#taken),
      resetSeconds: Math.ceil(left / 1000),
    };
  }
}

interface RequestLimitsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Requests in 3600 seconds. */
  readonly shortLimit: number;
  /** Requests in 30 days. */
  readonly longLimit: number;
}

/**
 * The account's request limits (API 3.1, section 8): every call of any client counts in both
 * windows, even a refused one.
 */
export class RequestLimits {
  readonly #windows: Readonly<Record<WindowName, FixedWindow>>;

  constructor({ clock, shortLimit, longLimit }: RequestLimitsOptions) {
    this.#windows = {
      short: new FixedWindow({ clock, limit: shortLimit, seconds: hour }),
      long: new FixedWindow({ clock, limit: longLimit, seconds: 30 * day }),
    };
  }

  /** Counts one call; returns false when a window was exhausted. */
  spend(): boolean {
    const short = this.#windows.short.take(1);
    const long = this.#windows.long.take(1);
    return short && long;
  }

  /** Other users of the same account make `requests` calls. */
  otherClientSpends(requests: number): void {
    valid(whole(0), requests, () => 'requests');
    this.#windows.short.take(requests);
    this.#windows.long.take(requests);
  }

  /** The account moves to another plan. */
  resize({ shortLimit, longLimit }: Omit<RequestLimitsOptions, 'clock'>): void {
    this.#windows.short.resize(shortLimit);
    this.#windows.long.resize(longLimit);
  }

  /** The content of the header of a window. */
  reading(window: WindowName): WindowReport {
    return this.#windows[window].reading();
  }

  headers(): Record<string, string> {
    return {
      'Req-Limit-Short': headerValue(this.reading('short')),
      'Req-Limit-Long': headerValue(this.reading('long')),
    };
  }
}

function headerValue({ remaining, resetSeconds }: WindowReport): string {
  return `Remaining: ${remaining} Time until reset: ${resetSeconds}`;
}
