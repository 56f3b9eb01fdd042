import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Month } from '../lib/month-calendar.ts';
import { readAhead } from '../lib/read-ahead.ts';
import type { AccountState } from '../state/account-state.ts';
import type { ListedItem } from '../state/leaving.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import { isSealed, type ListedMonths } from './listed-months.ts';
import { isFinal, type MonthRecord } from './month-record.ts';
import { batchSize } from './month-rows.ts';
import type { StoredMonths } from './stored-months.ts';

/** Items are examined in steps of this size, and other work is done in between. */
const itemsPerStep = 50;

/** Of several months, as many records are in hand as of one: more of them take more memory and CPU. */
function itemsPerRead(months: number): number {
  return Math.ceil(batchSize / months);
}

/** Items of which the records of months are read together. */
interface Batch {
  readonly kind: ItemKind;
  readonly ids: readonly number[];
}

interface ReadMonth extends Batch {
  readonly month: Month;
  readonly stored: readonly MonthRecord[];
  /** Items whose month was not sealed when it was read. */
  readonly unsealed: ReadonlySet<number>;
}

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
   * For each month, the records of these items, as far as they have one. Yields to the event loop.
   * Rejects with a `StoreError`.
   */
  async of(
    months: readonly Month[],
    kind: ItemKind,
    ids: readonly number[],
  ): Promise<readonly (readonly MonthRecord[])[]> {
    return this.#known(await this.#read(months, { kind, ids }));
  }

  /**
   * The records of months, in batches of items of one kind: for each month, those that these items
   * have. Yields to the event loop. Rejects with a `StoreError`.
   */
  async *all(months: readonly Month[]): AsyncGenerator<readonly (readonly MonthRecord[])[]> {
    for await (const read of readAhead(this.#reads(months))) {
      yield this.#known(read);
      // The port of the store's thread delivers many messages in one turn of the event loop.
      await yieldToEventLoop();
    }
  }

  /** Reads all months of some items, then those of the next ones. */
  *#reads(months: readonly Month[]): Generator<() => Promise<readonly ReadMonth[]>> {
    const size = itemsPerRead(months.length);
    for (const kind of itemKinds) {
      const all = this.#idsOf(kind);
      for (let from = 0; from < all.length; from += size) {
        const ids = all.slice(from, from + size);
        yield () => this.#read(months, { kind, ids });
      }
    }
  }

  async #read(months: readonly Month[], batch: Batch): Promise<readonly ReadMonth[]> {
    const { kind, ids } = batch;
    const items = this.#state.itemsOf(kind);
    const reads = months.map((month) => {
      const unsealed = ids.filter((id) => {
        const item = items.get(id);
        return item !== undefined && !isSealed(item, month);
      });
      return { ...batch, month, unsealed: new Set(unsealed) };
    });
    const stored = await this.#stored.recordsOf(months, kind, ids);
    return reads.map((read, place) => ({ ...read, stored: stored[place] ?? [] }));
  }

  async #known(months: readonly ReadMonth[]): Promise<readonly (readonly MonthRecord[])[]> {
    const known: (readonly MonthRecord[])[] = [];
    for (const month of months) known.push(await this.#knownOf(month));
    return known;
  }

  async #knownOf(read: ReadMonth): Promise<readonly MonthRecord[]> {
    const { month, kind, ids } = read;
    const stored = new Map(read.stored.map((record) => [record.id, record]));
    const records: MonthRecord[] = [];
    for (const [place, id] of ids.entries()) {
      if (place % itemsPerStep === itemsPerStep - 1) await yieldToEventLoop();
      const item = this.#state.itemsOf(kind).get(id);
      const former = stored.get(id);
      const record =
        item === undefined || isSealed(item, month) || isFinal(former)
          ? await this.#final(read, id, former)
          : this.#unsealed(kind, item, month, former);
      if (record !== undefined) records.push(record);
    }
    return records;
  }

  /** The ids of all items that may have records, in the order in which the store has them. */
  #idsOf(kind: ItemKind): readonly number[] {
    const ids = new Set(this.#stored.removed.flatMap((one) => (one.kind === kind ? one.id : [])));
    for (const { entry } of this.#state.itemsOf(kind).records()) ids.add(entry.id);
    return [...ids].sort((a, b) => a - b);
  }

  /** The month of an item that left, or has sealed it; undefined if nothing of it is known. */
  async #final({ month, kind, unsealed }: ReadMonth, id: number, stored: MonthRecord | undefined) {
    // A record that was written after the others were read.
    const written = unsealed.has(id) ? await this.#stored.record(month, { kind, id }) : undefined;
    const record = written ?? stored;
    return record && this.#listed.withLaterFacts(record, month);
  }

  /** The month of a listed item that has not sealed it; undefined if nothing of it is known. */
  #unsealed(kind: ItemKind, item: ListedItem, month: Month, former: MonthRecord | undefined) {
    if (former === undefined && this.#stored.indexed(month)?.isWhole === true) return undefined;
    return this.#listed.recordOf(kind, item, month, former);
  }
}
