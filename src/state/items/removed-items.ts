import { present } from '../../lib/present.ts';

/**
 * Complete lists lack the item, the filter excludes it, its dataset is switched off, or its account
 * is no longer in the configuration.
 */
export const leaveReasons = ['list', 'filter', 'dataset', 'account'] as const;
export type LeaveReason = (typeof leaveReasons)[number];

export interface Leaving {
  /** UNIX seconds of the service's clock. */
  readonly atSeconds: number;
  readonly why: LeaveReason;
}

/** An item that was monitored within the last day. */
export interface LeftItem extends Leaving {
  readonly name: string;
  readonly wasDown: boolean;
}

/** A removed item is known by its name for this time, for those who follow the link of an alert. */
const namedSeconds = 86_400;

/** The last entry of an item that a list had. */
interface LastEntry {
  readonly name: string;
  readonly status?: string;
  readonly active?: boolean;
}

/** Whether the item was down, and not only after a single failed test, when it was last listed. */
export function wasDown({ status, active }: LastEntry): boolean {
  return status === 'down' || (status === 'failing' && active !== false);
}

/** The time in UNIX seconds at which the item was removed. */
interface MayBeRemoved {
  readonly goneAtSeconds?: number;
}

export function isOfRemoved(totals: MayBeRemoved): boolean {
  return totals.goneAtSeconds !== undefined;
}

/** The totals of a removed item or account are kept for this time, so that they can continue. */
export const keptSeconds = 7 * 86_400;

/** An item that no list has. */
interface Unlisted<T> {
  /** Null once they are deleted. */
  readonly totals: (T & MayBeRemoved) | null;
  /** False until the totals are committed. */
  isStored: boolean;
  /** Absent for an item that left more than a day, or before the start. */
  left?: LeftItem | undefined;
}

/** Items that were removed less than a week ago, or whose totals were restored without their entry. */
export class RemovedItems<T extends object> {
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
    for (const [id, { totals, ...rest }] of this.#unlisted) {
      if (totals === null) continue;
      const next = { ...replacement(totals), ...present({ goneAtSeconds: totals.goneAtSeconds }) };
      this.#unlisted.set(id, { ...rest, totals: next });
    }
  }

  has(id: number): boolean {
    return this.#kept(id) !== undefined;
  }

  add(id: number, totals: T): void {
    this.#unlisted.set(id, { totals, isStored: true });
  }

  /** An item that was listed has left. */
  remove(id: number, totals: T, entry: LastEntry, leaving: Leaving): void {
    const left = { ...leaving, name: entry.name, wasDown: wasDown(entry) };
    this.#remove(id, totals, leaving.atSeconds, left);
  }

  /** Undefined for an item that has not left within the last day. */
  left(id: number): LeftItem | undefined {
    return this.#unlisted.get(id)?.left;
  }

  /** The last totals of an item that is listed again. `isStored`: the store has the same ones. */
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
      if (totals.goneAtSeconds === undefined) this.#remove(id, totals, nowSeconds);
    }
  }

  /** Deletes totals that are too old, and names before them. Returns the ids of the totals. */
  expire(nowSeconds: number): readonly number[] {
    const expired: number[] = [];
    for (const [id, unlisted] of this.#unlisted) {
      const { goneAtSeconds } = unlisted.totals ?? {};
      if (goneAtSeconds === undefined) continue;
      if (goneAtSeconds <= nowSeconds - namedSeconds) unlisted.left = undefined;
      if (goneAtSeconds >= nowSeconds - keptSeconds) continue;
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

  #remove(id: number, totals: T, goneAtSeconds: number, left?: LeftItem): void {
    this.#unlisted.set(id, { totals: { ...totals, goneAtSeconds }, isStored: false, left });
  }

  #kept(id: number): (T & MayBeRemoved) | undefined {
    return this.#unlisted.get(id)?.totals ?? undefined;
  }
}
