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

/** Totals without an item in the list; null once they are deleted. */
interface Unlisted<T> {
  readonly totals: (T & MayBeRemoved) | null;
  /** False until they are committed. */
  isStored: boolean;
}

/** Totals of items that were removed less than a week ago, or restored without their entry. */
export class RemovedTotals<T extends object> {
  readonly #unlisted = new Map<number, Unlisted<T>>();

  /** Uncommitted totals of removed items, with `goneAtSeconds`; null deletes totals. */
  get removed(): ReadonlyMap<number, T | null> {
    const removed = new Map<number, T | null>();
    for (const [id, { totals, isStored }] of this.#unlisted) if (!isStored) removed.set(id, totals);
    return removed;
  }

  /** The totals that are kept, by id. */
  *totals(): Iterable<readonly [id: number, totals: T & MayBeRemoved]> {
    for (const [id, { totals }] of this.#unlisted) if (totals !== null) yield [id, totals];
  }

  /** Replaces all totals; what is not committed yet is replaced with them. */
  replaceAll(replacement: (totals: T) => T): void {
    for (const [id, totals] of this.totals()) {
      const next = { ...replacement(totals), ...present({ goneAtSeconds: totals.goneAtSeconds }) };
      this.#unlisted.set(id, { totals: next, isStored: this.#unlisted.get(id)?.isStored ?? true });
    }
  }

  has(id: number): boolean {
    return this.#kept(id) !== undefined;
  }

  add(id: number, totals: T): void {
    this.#unlisted.set(id, { totals, isStored: true });
  }

  /** An item that was listed has left. */
  remove(id: number, totals: T, nowSeconds: number): void {
    const removed = { ...totals, goneAtSeconds: nowSeconds };
    this.#unlisted.set(id, { totals: removed, isStored: false });
  }

  /** The totals of an item whose entry was restored too; undefined for a removed item. */
  takeListed(id: number): T | undefined {
    const totals = this.#kept(id);
    if (totals === undefined || totals.goneAtSeconds !== undefined) return undefined;
    this.#unlisted.delete(id);
    return totals;
  }

  /** A removed item's last totals. `isStored`: the store has the same ones. */
  takeReturned(id: number): { readonly totals: T; readonly isStored: boolean } | undefined {
    const unlisted = this.#kept(id);
    this.#unlisted.delete(id);
    if (unlisted === undefined) return undefined;
    const { goneAtSeconds, ...totals } = unlisted;
    if (goneAtSeconds === undefined) return { totals: unlisted, isStored: true };
    return { totals: totals as unknown as T, isStored: false };
  }

  /** Totals that were restored without an entry are those of items that have left. */
  markRemoved(nowSeconds: number): void {
    for (const [id, totals] of this.totals()) {
      if (totals.goneAtSeconds === undefined) this.remove(id, totals, nowSeconds);
    }
  }

  /** Deletes totals that are too old. Returns their ids. */
  expire(nowSeconds: number): readonly number[] {
    const expired: number[] = [];
    for (const [id, { goneAtSeconds }] of this.totals()) {
      if (goneAtSeconds === undefined || goneAtSeconds >= nowSeconds - keptSeconds) continue;
      this.#unlisted.set(id, { totals: null, isStored: false });
      expired.push(id);
    }
    return expired;
  }

  /** The store now has these totals. */
  committed(id: number, totals: T | null): void {
    const unlisted = this.#unlisted.get(id);
    if (unlisted?.totals !== totals) return;
    if (totals === null) this.#unlisted.delete(id);
    else unlisted.isStored = true;
  }

  #kept(id: number): (T & MayBeRemoved) | undefined {
    return this.#unlisted.get(id)?.totals ?? undefined;
  }
}
