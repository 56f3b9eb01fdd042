/**
 * A new series is shown with 0 for this time before its first value, because `increase` counts an
 * event only if an earlier sample exists (docs/decisions/0019). Milliseconds; longer than the usual
 * time between two scrapes.
 */
export const shownAsZeroMilliseconds = 180_000;

/** Names of counters of one item that are shown with 0. */
export type Begun = ReadonlySet<string>;

/** An item whose counters may be shown with 0. */
export interface BeginningItem {
  begun: { readonly names: Begun; readonly until: number } | undefined;
}

/** Counters of items that have begun while the item was shown. Times are monotonic milliseconds. */
export class BegunCounters<I extends BeginningItem> {
  /** In the order in which their zeros end. */
  #items: I[] = [];

  /** Adds counters that begin at `now`. Returns all that are shown with 0, as the same set. */
  of(item: I, begins: readonly string[], now: number): Begun | undefined {
    if (begins.length === 0) return item.begun?.names;
    const names = new Set([...(item.begun?.names ?? []), ...begins]);
    this.forget(item);
    item.begun = { names, until: now + shownAsZeroMilliseconds };
    this.#items.push(item);
    return names;
  }

  /** Calls back with each item whose counters are no longer shown with 0. */
  moveTo(now: number, changed: (item: I) => void): void {
    const left = this.#items.findIndex(({ begun }) => begun !== undefined && begun.until > now);
    for (const item of this.#items.splice(0, left < 0 ? this.#items.length : left)) {
      item.begun = undefined;
      changed(item);
    }
  }

  forget(item: I): void {
    if (item.begun === undefined) return;
    item.begun = undefined;
    this.#items.splice(this.#items.indexOf(item), 1);
  }
}
