import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Month } from '../lib/month-calendar.ts';
import type { AccountState } from '../state/account-state.ts';
import type { ListedItem } from '../state/leaving.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import { isSealed, type ListedMonths } from './listed-months.ts';
import type { MonthRecord } from './month-record.ts';
import type { StoredMonths } from './stored-months.ts';
import { keyOf } from './subject.ts';

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
        ? await this.#listed.completed(former, month)
        : item && this.#unsealed(kind, item, month, former);
      if (record !== undefined) records.push(record);
    }
    return records;
  }

  /** The records of a month, in batches. Yields to the event loop. Rejects with a `StoreError`. */
  async *all(month: Month): AsyncGenerator<readonly MonthRecord[]> {
    const former = new Map<string, MonthRecord>();
    for await (const batch of this.#stored.records(month)) {
      const sealed = batch.filter((record) => {
        if (this.#isFinal(record, month)) return true;
        former.set(keyOf(record), record);
        return false;
      });
      yield await Promise.all(sealed.map((record) => this.#listed.completed(record, month)));
    }
    const isWhole = this.#stored.indexed(month)?.isWhole === true;
    if (isWhole && former.size === 0) return;
    for (const kind of itemKinds) {
      let records: MonthRecord[] = [];
      for (const item of this.#state.itemsOf(kind).records()) {
        const { id } = item.entry;
        const record = this.#unsealed(kind, item, month, former.get(keyOf({ kind, id })));
        if (record !== undefined) records.push(record);
        if (records.length < itemsPerStep) continue;
        yield records;
        records = [];
        await yieldToEventLoop();
      }
      yield records;
    }
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
