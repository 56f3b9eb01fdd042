import type { AccountState } from '../../state/account-state.ts';
import type { Policies } from '../../state/standing/policies.ts';
import { type ItemKind, itemKinds } from '../../store/store.ts';
import { BackfillChanges, type FirstSeenDocument } from './documents.ts';

/** Keyed by name, without `account` and `check_id`. */
type ItemLabels = Readonly<Record<string, string>>;

/** The time at which the counters of an item began, and the labels that its series had then. */
interface FirstSeenItem {
  readonly atSeconds: number;
  readonly labels: ItemLabels;
}

/**
 * When each check and transaction was first seen, and its labels at that time. An entry never
 * changes while the item has totals: earlier history continues the series that began then, even if
 * the item has another name today.
 */
export class FirstSeen {
  readonly #items: AccountState;
  readonly #policies: Policies;
  readonly #seen = {
    check: new Map<number, FirstSeenItem>(),
    transaction: new Map<number, FirstSeenItem>(),
  };
  #isStored = true;

  constructor(items: AccountState, policies: Policies) {
    this.#items = items;
    this.#policies = policies;
  }

  get(kind: ItemKind, id: number): FirstSeenItem | undefined {
    return this.#seen[kind].get(id);
  }

  /** The present labels of a listed item; undefined for others. */
  labelsNow(kind: ItemKind, id: number): ItemLabels | undefined {
    const entry = this.itemsOf(kind).get(id)?.entry;
    if (entry === undefined) return undefined;
    return { name: entry.name, ...this.#policies.outages.promotedOf(kind, entry) };
  }

  /** A list has these items, for the first time or again. */
  arrived(kind: ItemKind, ids: Iterable<number>): void {
    const items = this.itemsOf(kind);
    const seen = this.#seen[kind];
    for (const id of ids) {
      const atSeconds = items.get(id)?.totals.states.startSeconds;
      if (atSeconds === undefined || seen.has(id)) continue;
      seen.set(id, { atSeconds, labels: this.labelsNow(kind, id) ?? {} });
      this.#isStored = false;
    }
  }

  /** The totals of these items are deleted. */
  forget(kind: ItemKind, ids: Iterable<number>): void {
    for (const id of ids) if (this.#seen[kind].delete(id)) this.#isStored = false;
  }

  /**
   * Restores the entries of items with totals. Other counters begin at 0 if an item returns. Restored
   * items without an entry were first seen by a version that stored none.
   */
  restore(stored: FirstSeenDocument | undefined): void {
    for (const kind of itemKinds) {
      for (const [id, atSeconds, labels] of stored?.[kind] ?? []) {
        if (this.itemsOf(kind).isKept(id)) this.#seen[kind].set(id, { atSeconds, labels });
      }
      this.arrived(kind, this.itemsOf(kind).ids());
    }
  }

  /** The changes since this was called last. */
  takeChanges(): BackfillChanges {
    const changes = new BackfillChanges();
    if (this.#isStored) return changes;
    this.#isStored = true;
    const rows = (kind: ItemKind): FirstSeenDocument[ItemKind] =>
      [...this.#seen[kind]].map(([id, { atSeconds, labels }]) => [id, atSeconds, labels]);
    return changes.setFirstSeen({ check: rows('check'), transaction: rows('transaction') });
  }

  /** The changes could not be stored, or may not have been: they are taken again. */
  notStored(): void {
    this.#isStored = false;
  }

  itemsOf(kind: ItemKind): AccountState['checks'] | AccountState['transactions'] {
    return kind === 'check' ? this.#items.checks : this.#items.transactions;
  }
}
