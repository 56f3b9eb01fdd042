/** Of totals whose item has left the list: when, in UNIX seconds. */
interface MayBeGone {
  readonly goneAtSeconds?: number;
}

/** For this long the totals of an item, or an account, that is gone are kept, so that they continue if it returns. */
export const keptSeconds = 7 * 86_400;

/** Totals of items that are not listed: gone for less than a week, or restored without their entry. */
export class UnlistedTotals<T extends object> {
  readonly #totals = new Map<number, T & MayBeGone>();
  readonly #departed = new Map<number, T | null>();

  /** With their mark, null for those to be forgotten; until they are committed. */
  get departed(): ReadonlyMap<number, T | null> {
    return this.#departed;
  }

  has(id: number): boolean {
    return this.#totals.has(id);
  }

  add(id: number, totals: T): void {
    this.#totals.set(id, totals);
  }

  /** The totals of an item whose entry was restored too; undefined for one that had left the list. */
  takeListed(id: number): T | undefined {
    const totals = this.#totals.get(id);
    if (totals === undefined || totals.goneAtSeconds !== undefined) return undefined;
    this.#totals.delete(id);
    return totals;
  }

  /** The totals that an item left with, without the mark; `isPersisted` when the store has them so. */
  takeReturned(id: number): { readonly totals: T; readonly isPersisted: boolean } | undefined {
    const unlisted = this.#totals.get(id);
    this.#totals.delete(id);
    this.#departed.delete(id);
    if (unlisted === undefined) return undefined;
    const { goneAtSeconds, ...totals } = unlisted;
    if (goneAtSeconds === undefined) return { totals: unlisted, isPersisted: true };
    return { totals: totals as unknown as T, isPersisted: false };
  }

  /** Marks the totals of items that are newly gone, and drops those that are too old. */
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

  /** The store has these. */
  committed(id: number, totals: T | null): void {
    if (this.#departed.get(id) === totals) this.#departed.delete(id);
  }
}
