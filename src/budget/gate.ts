import type { RateLimits } from '../domain/rate-limit.ts';

/**
 * Every request passes this gate before it is sent. The client itself calls it, so that no code
 * path can spend more than the budget.
 */
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
  /** The limits in the headers; absent when there was no response. */
  readonly limits?: RateLimits;
}
