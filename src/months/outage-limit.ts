/** A year of 25,000 checks needs 140 MB with 300,000 outages, and with 900,000 more than the heap may have. */
const mostOutages = 200_000;

/** A report has more outages than memory has room for. */
export class TooManyOutagesError extends Error {
  override readonly name = 'TooManyOutagesError';
}

/** Counts the outages of a report, which are in memory together. */
export class OutageLimit {
  /** Which other report has fewer. */
  readonly #advice: string;
  #left = mostOutages;

  constructor(advice: string) {
    this.#advice = advice;
  }

  /** Throws a `TooManyOutagesError`. */
  add(outages: number): void {
    this.#left -= outages;
    if (this.#left >= 0) return;
    const most = mostOutages.toLocaleString('en');
    throw new TooManyOutagesError(`there are more than ${most} outages: ${this.#advice}`);
  }
}
