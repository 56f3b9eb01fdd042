/** The time in UNIX seconds at which the item was removed. */
interface MayBeGone {
  readonly goneAtSeconds?: number;
}

/** The totals of a removed item or account are kept for this many seconds, so that they continue if it returns. */
export const keptSeconds = 7 * 86_400;

/** Totals of items that are not listed: removed less than a week ago, or restored without their entry. */
export class RemovedTotals<T extends object> {
  readonly #totals = new Map<number, T & MayBeGone>();
  readonly #departed = new Map<number, T | null>();

  /** Uncommitted totals of removed items, with `goneAtSeconds`; null deletes totals. */
  get departed(): ReadonlyMap<number, T | null> {
    return this.#departed;
  }

  has(id: number): boolean {
    return this.#totals.has(id);
  }

  add(id: number, totals: T): void {
    this.#totals.set(id, totals);
  }

  /** The totals of an item whose entry was restored too; undefined for a removed item. */
  takeListed(id: number): T | undefined {
    const totals = this.#totals.get(id);
    if (totals === undefined || totals.goneAtSeconds !== undefined) return undefined;
    this.#totals.delete(id);
    return totals;
  }

  /** A removed item's last totals. `isPersisted`: the store has the same ones. */
  takeReturned(id: number): { readonly totals: T; readonly isPersisted: boolean } | undefined {
    const unlisted = this.#totals.get(id);
    this.#totals.delete(id);
    this.#departed.delete(id);
    if (unlisted === undefined) return undefined;
    const { goneAtSeconds, ...totals } = unlisted;
    if (goneAtSeconds === undefined) return { totals: unlisted, isPersisted: true };
    return { totals: totals as unknown as T, isPersisted: false };
  }

  /** Marks the totals of newly removed items, and deletes totals that are too old. */
  depart(nowSeconds: number): void {
    for (const [id, totals] of this.#totals) {
      if (totals.goneAtSeconds === undefined) {
        const gone = { ...totals, goneAtSeconds: nowSeconds };
        this.#totals.set(id, gone);
        this.#departed.set(id, gone);
      } else if (totals.goneAtSeconds < nowSeconds - keptSeconds) {
        this.#totals.delete(id);
        this.#departed.set(id, null);
      }
    }
  }

  /** The store now has these totals. */
  committed(id: number, totals: T | null): void {
    if (this.#departed.get(id) === totals) this.#departed.delete(id);
  }
}
