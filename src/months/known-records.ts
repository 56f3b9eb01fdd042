import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Month } from '../lib/month-calendar.ts';
import type { AccountState } from '../state/account-state.ts';
import type { ListedItem } from '../state/leaving.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import { isSealed, type ListedMonths } from './listed-months.ts';
import type { MonthRecord } from './month-record.ts';
import { batchSize, type StoredMonths } from './stored-months.ts';

/** Items are examined in steps of this size, and other work is done in between. */
const itemsPerStep = 50;

/** The records of a month: of an item its sealed record if there is one, else what its log shows. */
export class KnownRecords {
  readonly #state: AccountState;
  readonly #stored: StoredMonths;
  readonly #listed: ListedMonths;

  constructor(state: AccountState, stored: StoredMonths, listed: ListedMonths) {
    this.#state = state;
    this.#stored = stored;
    this.#listed = listed;
  }

  /**
   * The records of these items in a month, as far as they have one. Yields to the event loop. Rejects
   * with a `StoreError`.
   */
  async of(month: Month, kind: ItemKind, ids: readonly number[]): Promise<readonly MonthRecord[]> {
    const stored = await this.#stored.recordsOf(month, kind, ids);
    const known = new Map(stored.map((record) => [record.id, record]));
    const records: MonthRecord[] = [];
    for (const [place, id] of ids.entries()) {
      if (place % itemsPerStep === itemsPerStep - 1) await yieldToEventLoop();
      const former = known.get(id);
      const isFinal = former !== undefined && this.#isFinal(former, month);
      const item = this.#state.itemsOf(kind).get(id);
      const record = isFinal
        ? await this.#listed.withLaterFacts(former, month)
        : item && this.#unsealed(kind, item, month, former);
      if (record !== undefined) records.push(record);
    }
    return records;
  }

  /**
   * The records of months, in batches of items of one kind: for each month, those that these items
   * have. Yields to the event loop. Rejects with a `StoreError`.
   */
  async *all(months: readonly Month[]): AsyncGenerator<readonly (readonly MonthRecord[])[]> {
    for (const kind of itemKinds) {
      const all = this.#idsOf(kind);
      for (let from = 0; from < all.length; from += batchSize) {
        const ids = all.slice(from, from + batchSize);
        const records: (readonly MonthRecord[])[] = [];
        for (const month of months) records.push(await this.of(month, kind, ids));
        yield records;
      }
    }
  }

  /** The ids of all items that may have records, in the order in which the store has them. */
  #idsOf(kind: ItemKind): readonly number[] {
    const ids = new Set(this.#stored.removed.flatMap((one) => (one.kind === kind ? one.id : [])));
    for (const { entry } of this.#state.itemsOf(kind).records()) ids.add(entry.id);
    return [...ids].sort((a, b) => a - b);
  }

  /** The month of a listed item; undefined if it is sealed, or nothing of it is known. */
  #unsealed(kind: ItemKind, item: ListedItem, month: Month, former: MonthRecord | undefined) {
    if (isSealed(item, month)) return undefined;
    if (former === undefined && this.#stored.indexed(month)?.isWhole === true) return undefined;
    return this.#listed.recordOf(kind, item, month, former);
  }

  /** A stored record, unless the item is listed and is not sealed. */
  #isFinal({ kind, id }: MonthRecord, month: Month): boolean {
    const item = this.#state.itemsOf(kind).get(id);
    return item === undefined || isSealed(item, month);
  }
}
