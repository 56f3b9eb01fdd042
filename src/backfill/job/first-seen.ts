import { type ItemKind, itemKinds } from '../../store/store.ts';
import type { FirstSeenDocument, ItemLabels } from './documents.ts';

/** The time at which the counters of an item began, and the labels that its series had then. */
export interface FirstSeenItem {
  readonly atSeconds: number;
  /** Without `account` and `check_id`. */
  readonly labels: ItemLabels;
}

interface ListedItem {
  readonly id: number;
  readonly startSeconds: number;
  readonly labels: () => ItemLabels;
}

/**
 * When each check and transaction was first seen, and its labels at that time. An entry never
 * changes while the item has totals: earlier history continues the series that began then, even if
 * the item has another name today.
 */
export class FirstSeen {
  readonly #items: Readonly<Record<ItemKind, Map<number, FirstSeenItem>>> = {
    check: new Map(),
    transaction: new Map(),
  };

  get(kind: ItemKind, id: number): FirstSeenItem | undefined {
    return this.#items[kind].get(id);
  }

  /** Records listed items that are new. Returns whether there were any. */
  listed(kind: ItemKind, items: Iterable<ListedItem>): boolean {
    const known = this.#items[kind];
    const before = known.size;
    for (const { id, startSeconds, labels } of items) {
      if (!known.has(id)) known.set(id, { atSeconds: startSeconds, labels: labels() });
    }
    return known.size > before;
  }

  /** The entries of items with totals. Other counters restart at 0 if an item returns. */
  restore(
    stored: FirstSeenDocument,
    isKept: Readonly<Record<ItemKind, (id: number) => boolean>>,
  ): void {
    for (const kind of itemKinds) {
      for (const [id, atSeconds, labels] of stored[kind]) {
        if (isKept[kind](id)) this.#items[kind].set(id, { atSeconds, labels });
      }
    }
  }

  document(): FirstSeenDocument {
    const rows = (kind: ItemKind): FirstSeenDocument[ItemKind] =>
      [...this.#items[kind]].map(([id, { atSeconds, labels }]) => [id, atSeconds, labels]);
    return { check: rows('check'), transaction: rows('transaction') };
  }
}
