import type { ApiError } from '../api/errors.ts';
import type { DatasetName } from '../domain/dataset.ts';

/** Two refused check lists this far apart show that the credentials are not accepted. */
const apartMilliseconds = 30_000;
/** So many refusals on the way, or for so long, may also mean that the credentials are invalid. */
const maxBlocked = 10;
const maxBlockedMilliseconds = 15 * 60_000;

/**
 * Decides what refused requests of an account mean, together. Credentials that were never accepted
 * are at fault when a request gets a 401 with the API's own error body. Later a valid token may get a
 * single one, so they are at fault only when two check lists get it. A refusal with another body
 * comes from something on the way, until there are many. Any success ends both. Times are
 * milliseconds of the monotonic clock.
 */
export class Refusals {
  /** The first refused check list since the last success. */
  #refusedAt: number | undefined;
  #isUnauthorized = false;
  /** Some request has succeeded. */
  #wereAccepted = false;
  /** The refusals on the way since the last success. */
  #blocked: { readonly since: number; readonly last: ApiError; readonly count: number } | undefined;

  /** True from the second refused check list until the next success of any request. */
  get isUnauthorized(): boolean {
    return this.#isUnauthorized;
  }

  /** Returns the error with the reason that all responses since the last success show. */
  judged(dataset: DatasetName, error: ApiError, now: number): ApiError {
    if (error.reason === 'unauthorized') return this.#unauthorized(dataset, error, now);
    return error.reason === 'blocked' ? this.#blockedBy(error, now) : error;
  }

  /** A request succeeded, so the credentials are accepted. */
  succeeded(): void {
    this.#wereAccepted = true;
    this.#refusedAt = undefined;
    this.#isUnauthorized = false;
    this.#blocked = undefined;
  }

  #unauthorized(dataset: DatasetName, error: ApiError, now: number): ApiError {
    if (dataset === 'checks') {
      this.#refusedAt ??= now;
      this.#isUnauthorized ||= now - this.#refusedAt >= apartMilliseconds;
    }
    const isAtFault = this.#isUnauthorized || !this.#wereAccepted;
    return isAtFault ? error : error.withReason('refused');
  }

  #blockedBy(error: ApiError, now: number): ApiError {
    const { since = now, last, count = 0 } = this.#blocked ?? {};
    this.#blocked = { since, last: error, count: last === error ? count : count + 1 };
    const isLong = this.#blocked.count >= maxBlocked || now - since >= maxBlockedMilliseconds;
    return isLong ? error.withReason('blocked_or_unauthorized') : error;
  }
}
