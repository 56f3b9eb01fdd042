interface Patience {
  /** Seconds for which a report is late before its readable rest is used. */
  readonly givenUpAfterSeconds: number;
  /** Seconds for which it is requested at least. */
  readonly leastAskingSeconds: number;
}

/**
 * The reports that have entries that cannot be read. Such a report is requested again. If it stays
 * incomplete, its other entries are used, and the rest of the time is unmonitored.
 */
export class IncompleteReports<Id> {
  readonly #patience: Patience;
  /** UNIX seconds of the first of the incomplete reports in a row. */
  readonly #since = new Map<Id, number>();

  constructor(patience: Patience) {
    this.#patience = patience;
  }

  /**
   * Takes note of a report, and returns whether its readable entries can be used. `awaitedSeconds`:
   * the time from which on states are missing; by default that of the first incomplete report.
   */
  isUsable(
    id: Id,
    isComplete: boolean,
    nowSeconds: number,
    awaitedSeconds = Number.POSITIVE_INFINITY,
  ): boolean {
    if (isComplete) {
      this.#since.delete(id);
      return true;
    }
    const since = this.#since.get(id) ?? nowSeconds;
    this.#since.set(id, since);
    const { givenUpAfterSeconds, leastAskingSeconds } = this.#patience;
    return (
      nowSeconds - since >= leastAskingSeconds &&
      nowSeconds - Math.min(since, awaitedSeconds) >= givenUpAfterSeconds
    );
  }

  /** The item has left. */
  delete(id: Id): void {
    this.#since.delete(id);
  }
}
