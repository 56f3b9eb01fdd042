import { present } from '../../lib/present.ts';

/** The time in UNIX seconds at which the item was removed. */
interface MayBeRemoved {
  readonly goneAtSeconds?: number;
}

export function isOfRemoved(totals: MayBeRemoved): boolean {
  return totals.goneAtSeconds !== undefined;
}

/** The totals of a removed item or account are kept for this time, so that they can continue. */
export const keptSeconds = 7 * 86_400;

/** Totals of items that were removed less than a week ago, or restored without their entry. */
export class RemovedTotals<T extends object> {
  readonly #totals = new Map<number, T & MayBeRemoved>();
  readonly #removed = new Map<number, T | null>();

  /** Uncommitted totals of removed items, with `goneAtSeconds`; null deletes totals. */
  get removed(): ReadonlyMap<number, T | null> {
    return this.#removed;
  }

  /** The totals that are kept, by id. */
  get totals(): ReadonlyMap<number, T> {
    return this.#totals;
  }

  /** Replaces all totals; what is not committed yet is replaced with them. */
  replaceAll(replacement: (totals: T) => T): void {
    for (const [id, totals] of this.#totals) {
      const next = { ...replacement(totals), ...present({ goneAtSeconds: totals.goneAtSeconds }) };
      this.#totals.set(id, next);
      if (this.#removed.has(id)) this.#removed.set(id, next);
    }
  }

  has(id: number): boolean {
    return this.#totals.has(id);
  }

  add(id: number, totals: T): void {
    this.#totals.set(id, totals);
  }

  /** An item that was listed has left. */
  remove(id: number, totals: T, nowSeconds: number): void {
    const removed = { ...totals, goneAtSeconds: nowSeconds };
    this.#totals.set(id, removed);
    this.#removed.set(id, removed);
  }

  /** The totals of an item whose entry was restored too; undefined for a removed item. */
  takeListed(id: number): T | undefined {
    const totals = this.#totals.get(id);
    if (totals === undefined || totals.goneAtSeconds !== undefined) return undefined;
    this.#totals.delete(id);
    return totals;
  }

  /** A removed item's last totals. `isStored`: the store has the same ones. */
  takeReturned(id: number): { readonly totals: T; readonly isStored: boolean } | undefined {
    const unlisted = this.#totals.get(id);
    this.#totals.delete(id);
    this.#removed.delete(id);
    if (unlisted === undefined) return undefined;
    const { goneAtSeconds, ...totals } = unlisted;
    if (goneAtSeconds === undefined) return { totals: unlisted, isStored: true };
    return { totals: totals as unknown as T, isStored: false };
  }

  /** Totals that were restored without an entry are those of items that have left. */
  markRemoved(nowSeconds: number): void {
    for (const [id, totals] of this.#totals) {
      if (totals.goneAtSeconds === undefined) this.remove(id, totals, nowSeconds);
    }
  }

  /** Deletes totals that are too old. Returns their ids. */
  expire(nowSeconds: number): readonly number[] {
    const expired: number[] = [];
    for (const [id, { goneAtSeconds }] of this.#totals) {
      if (goneAtSeconds === undefined || goneAtSeconds >= nowSeconds - keptSeconds) continue;
      this.#totals.delete(id);
      this.#removed.set(id, null);
      expired.push(id);
    }
    return expired;
  }

  /** The store now has these totals. */
  committed(id: number, totals: T | null): void {
    if (this.#removed.get(id) === totals) this.#removed.delete(id);
  }
}
