/**
 * A new series is shown with 0 for this time before its first value, because `increase` counts an
 * event only if an earlier sample exists (docs/decisions/0019). Milliseconds; longer than the usual
 * time between two scrapes.
 */
export const shownAsZeroMilliseconds = 180_000;

/** Names of counters of one item that are shown with 0. */
export type Begun = ReadonlySet<string>;

interface BegunItem {
  readonly names: Begun;
  /** Monotonic milliseconds. */
  readonly until: number;
}

/** Counters of items that have begun while the item was shown. Times are monotonic milliseconds. */
export class BegunCounters {
  readonly #items = new Map<number, BegunItem>();

  /** Adds counters that begin at `now`. Returns all that are shown with 0, as the same set. */
  of(id: number, begins: readonly string[], now: number): Begun | undefined {
    const known = this.#items.get(id);
    if (begins.length === 0) return known?.names;
    const names = new Set([...(known?.names ?? []), ...begins]);
    this.#items.delete(id);
    this.#items.set(id, { names, until: now + shownAsZeroMilliseconds });
    return names;
  }

  /** Calls back with each item whose counters are no longer shown with 0. */
  moveTo(now: number, changed: (id: number) => void): void {
    for (const [id, { until }] of this.#items) {
      if (until > now) return;
      this.#items.delete(id);
      changed(id);
    }
  }

  forget(id: number): void {
    this.#items.delete(id);
  }
}
