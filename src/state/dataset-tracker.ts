import type { ApiError } from '../api/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { unixSeconds } from '../lib/clock.ts';
import type { DatasetFailure, DatasetStatus } from './dataset-status.ts';

const shortestStalenessSeconds = 300;
const staleAfterIntervals = 3;

/**
 * Follows the attempts to refresh one dataset. Ages are measured on the monotonic clock, so that a
 * step of the wall clock neither withdraws fresh data nor keeps old ones.
 */
export class DatasetTracker {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #intervalSeconds: number;
  #attemptedAtSeconds: number | undefined;
  #success: { atSeconds: number; monotonic: number; items: number } | undefined;
  #failure: DatasetFailure | undefined;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, intervalSeconds: number) {
    this.#clock = clock;
    this.#intervalSeconds = intervalSeconds;
  }

  succeeded(items: number): void {
    this.#attemptedAtSeconds = unixSeconds(this.#clock);
    this.#success = {
      atSeconds: this.#attemptedAtSeconds,
      monotonic: this.#clock.monotonic(),
      items,
    };
    this.#failure = undefined;
  }

  failed(error: ApiError): void {
    this.#attemptedAtSeconds = unixSeconds(this.#clock);
    this.#failure = {
      reason: error.reason,
      message: error.message,
      sinceSeconds: this.#failure?.sinceSeconds ?? this.#attemptedAtSeconds,
      consecutive: (this.#failure?.consecutive ?? 0) + 1,
    };
  }

  get status(): DatasetStatus {
    return {
      intervalSeconds: this.#intervalSeconds,
      stale: this.#isStale(),
      ...(this.#attemptedAtSeconds !== undefined && {
        lastAttemptAtSeconds: this.#attemptedAtSeconds,
      }),
      ...(this.#success !== undefined && {
        lastSuccessAtSeconds: this.#success.atSeconds,
        items: this.#success.items,
      }),
      ...(this.#failure !== undefined && { failure: this.#failure }),
    };
  }

  #isStale(): boolean {
    if (this.#success === undefined) return true;
    const ageSeconds = (this.#clock.monotonic() - this.#success.monotonic) / 1000;
    return (
      ageSeconds > Math.max(shortestStalenessSeconds, staleAfterIntervals * this.#intervalSeconds)
    );
  }
}
