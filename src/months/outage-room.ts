/** A year of 25,000 checks with 300,000 outages took 140 MB, and one with 900,000 more than the heap may have. */
const mostOutages = 200_000;

/** A report has more outages than memory has room for. */
export class TooManyOutagesError extends Error {
  override readonly name = 'TooManyOutagesError';

  constructor() {
    super(
      `there are more than ${mostOutages.toLocaleString('en')} outages: choose fewer months, or an account or a group`,
    );
  }
}

/** Counts the outages of a report, which are in memory together. */
export class OutageRoom {
  #left = mostOutages;

  /** Throws a `TooManyOutagesError`. */
  take(outages: number): void {
    this.#left -= outages;
    if (this.#left < 0) throw new TooManyOutagesError();
  }
}
