import type { RateLimits } from '../domain/rate-limit.ts';

/** Every request passes this gate. The client calls it, so no code can overspend the budget. */
export interface Gate {
  /** A permit for one request, or undefined when the budget does not allow one. */
  admit(): Permit | undefined;
}

/** The right to send one request. It must be released exactly once, even if the request fails. */
export interface Permit {
  release(outcome: RequestOutcome): void;
}

export interface RequestOutcome {
  /** Status code of the response; absent when there was none. */
  readonly statusCode?: number;
  /** Seconds that the response of a refused request asks to wait. */
  readonly retryAfterSeconds?: number;
  /** The limits in the headers; absent when there was no response. */
  readonly limits?: RateLimits;
}
