import type { WindowName, WindowReading } from '../domain/window.ts';
import type { Clock } from '../lib/clock.ts';
import { FixedWindow } from './fixed-window.ts';

const shortWindowSeconds = 3600;
const longWindowSeconds = 30 * 86_400;

export interface RequestLimitsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Requests in 3600 seconds. */
  readonly shortLimit: number;
  /** Requests in 30 days. */
  readonly longLimit: number;
}

/** The account's request limits (API 3.1, section 8): every call of any client counts in both windows, refused ones too. */
export class RequestLimits {
  readonly #windows: Readonly<Record<WindowName, FixedWindow>>;

  constructor({ clock, shortLimit, longLimit }: RequestLimitsOptions) {
    this.#windows = {
      short: new FixedWindow({ clock, limit: shortLimit, seconds: shortWindowSeconds }),
      long: new FixedWindow({ clock, limit: longLimit, seconds: longWindowSeconds }),
    };
  }

  /** Counts one call; false when either window had nothing left for it. */
  spend(): boolean {
    const short = this.#windows.short.take(1);
    const long = this.#windows.long.take(1);
    return short && long;
  }

  /** Other users of the same account make `requests` calls. */
  otherClientSpends(requests: number): void {
    if (!Number.isSafeInteger(requests) || requests < 0) {
      throw new RangeError(`requests must be a whole number of 0 or more, not ${requests}`);
    }
    this.#windows.short.take(requests);
    this.#windows.long.take(requests);
  }

  /** What a window would say in a header now. */
  reading(window: WindowName): WindowReading {
    return this.#windows[window].reading();
  }

  headers(): Record<string, string> {
    return {
      'Req-Limit-Short': headerValue(this.reading('short')),
      'Req-Limit-Long': headerValue(this.reading('long')),
    };
  }
}

function headerValue({ remaining, resetSeconds }: WindowReading): string {
  return `Remaining: ${remaining} Time until reset: ${resetSeconds}`;
}
