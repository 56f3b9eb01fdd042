import type { ApiError } from '../api/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { unixSeconds } from '../lib/clock.ts';
import type { DatasetFailure, DatasetStatus } from './dataset-status.ts';
import type { DatasetSuccess } from './restored.ts';

const shortestStalenessSeconds = 300;
const staleAfterIntervals = 3;

/**
 * Follows the attempts to refresh one dataset. Ages are measured on the monotonic clock, so that a
 * step of the wall clock neither withdraws fresh data nor keeps old ones.
 */
export class DatasetTracker {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #maxStalenessSeconds: number | undefined;
  #intervalSeconds: number | undefined;
  #attemptedAtSeconds: number | undefined;
  #success: { atSeconds: number; monotonic: number; items: number } | undefined;
  #failure: DatasetFailure | undefined;

  /** Without `maxStalenessSeconds`, data may be as old as three planned intervals, and five minutes in any case. */
  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, maxStalenessSeconds?: number) {
    this.#clock = clock;
    this.#maxStalenessSeconds = maxStalenessSeconds;
  }

  /** Data may be older where they are refreshed more rarely. */
  planned(intervalSeconds: number): void {
    this.#intervalSeconds = Number.isFinite(intervalSeconds) ? intervalSeconds : undefined;
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

  /** Goes on from a success before the start; one that lies ahead of the wall clock counts as just now. */
  restore({ atSeconds, items, intervalSeconds }: Omit<DatasetSuccess, 'name'>): void {
    const ageMilliseconds = Math.max(0, this.#clock.now() - atSeconds * 1000);
    const monotonic = this.#clock.monotonic() - ageMilliseconds;
    this.#attemptedAtSeconds = atSeconds;
    this.#intervalSeconds = intervalSeconds;
    this.#success = { atSeconds, monotonic, items };
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

  /** Of the last data; absent when there are none. */
  get ageSeconds(): number | undefined {
    if (this.#success === undefined) return undefined;
    return (this.#clock.monotonic() - this.#success.monotonic) / 1000;
  }

  get status(): DatasetStatus {
    return {
      stale: this.#success === undefined || !this.isFresh(this.#success.monotonic),
      ...(this.#intervalSeconds !== undefined && { intervalSeconds: this.#intervalSeconds }),
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

  /** Whether data that were fetched at `monotonic` milliseconds may still be shown. */
  isFresh(monotonic: number): boolean {
    const ageSeconds = (this.#clock.monotonic() - monotonic) / 1000;
    return ageSeconds <= (this.#maxStalenessSeconds ?? this.#defaultStalenessSeconds);
  }

  get #defaultStalenessSeconds(): number {
    const limitSeconds = staleAfterIntervals * (this.#intervalSeconds ?? 0);
    return Math.max(shortestStalenessSeconds, limitSeconds);
  }
}
