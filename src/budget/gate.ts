import type { RateLimits } from '../domain/rate-limit.ts';

/**
 * What every request must pass before it is sent. The client asks the gate itself, so that no code
 * path can spend past the budget.
 */
export interface Gate {
  /** A permit for one request, or undefined when the budget does not allow one now. */
  admit(): Permit | undefined;
}

/** The right to send one request. It must be settled exactly once, whatever the result of the request. */
export interface Permit {
  settle(outcome: Outcome): void;
}

export interface Outcome {
  /** Status code of the response; absent when there was none. */
  readonly statusCode?: number;
  /** What the headers of the response said; absent when there was no response. */
  readonly limits?: RateLimits;
}
