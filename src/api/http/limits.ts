/** In milliseconds. */
export interface Timeouts {
  readonly connect: number;
  /** From the start of the request to the headers of the response. */
  readonly headers: number;
  /** The longest time between two chunks of a body. */
  readonly body: number;
  readonly total: number;
}

export const defaultTimeouts: Timeouts = {
  connect: 5_000,
  headers: 15_000,
  body: 15_000,
  total: 30_000,
};

/** The timeouts that hold if some are given: without a total, no other one is cut short by it. */
export function timeoutsWith(given: Partial<Timeouts> = {}): Timeouts {
  const timeouts = { ...defaultTimeouts, ...given };
  return { ...timeouts, total: given.total ?? Math.max(...Object.values(timeouts)) };
}

/** Limit on a decompressed response body. */
export const defaultMaxBodyBytes = 64 * 1024 * 1024;
