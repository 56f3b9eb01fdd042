import { type Leaving, type LeftItem, type ListedItem, wasDown } from '../state/leaving.ts';
import type { ItemKind } from '../store/store.ts';
import type { AccountListener } from './account-events.ts';

const keptSeconds = 86_400;
/** The newest of each kind: a changed filter may exclude tens of thousands at once. */
const maxKept = 1_000;

/** Remembers for a day which items have left, for those who follow the link of an alert. */
export class LeftItems implements AccountListener {
  readonly #items: { readonly [K in ItemKind]: Map<number, LeftItem> } = {
    check: new Map(),
    transaction: new Map(),
  };
  readonly #nowSeconds: () => number;

  /** `nowSeconds`: the service's clock, in UNIX seconds. */
  constructor(nowSeconds: () => number) {
    this.#nowSeconds = nowSeconds;
  }

  left(kind: ItemKind, items: readonly ListedItem[], leaving: Leaving): void {
    const left = this.#items[kind];
    for (const item of items) {
      const { id, name } = item.entry;
      left.delete(id);
      left.set(id, { ...leaving, name, wasDown: wasDown(item) });
    }
    this.#forgetOlder();
  }

  refreshed(): void {
    this.#forgetOlder();
  }

  #forgetOlder(): void {
    const sinceSeconds = this.#nowSeconds() - keptSeconds;
    for (const left of Object.values(this.#items)) {
      // The oldest come first.
      for (const [id, { atSeconds }] of left) {
        if (left.size <= maxKept && atSeconds > sinceSeconds) break;
        left.delete(id);
      }
    }
  }

  arrived(kind: ItemKind, ids: Iterable<number>): void {
    for (const id of ids) this.#items[kind].delete(id);
  }

  /** Undefined for an item that has not left within the last day. */
  of(kind: ItemKind, id: number): LeftItem | undefined {
    this.#forgetOlder();
    return this.#items[kind].get(id);
  }
}
