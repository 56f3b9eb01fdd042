import type { AccountParts } from '../feature.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import { CorruptRowError } from '../store/format/row.ts';
import { type ItemKind, itemKinds, type StoredMonth } from '../store/store.ts';
import type { Month } from './calendar.ts';
import {
  type GroupMonth,
  type IndexedMonth,
  indexName,
  type MonthIndex,
  monthBody,
  monthKind,
  readIndex,
  readMonthBody,
} from './documents.ts';
import { type MonthRecord, outsideMaintenance } from './month-record.ts';

/** Records are read and written in batches of this size. */
export const batchSize = 250;
/** Records of removed items are kept for at most this many items. */
const maxRemoved = 2_000;

type StoredMonthsOptions = Pick<AccountParts, 'account' | 'readMonth' | 'storeDocuments' | 'log'>;

/**
 * The records of an account's months, and the index of these months. Records are in the store, not
 * in memory. Methods that read or write reject with a `StoreError`.
 */
export class StoredMonths {
  readonly #options: StoredMonthsOptions;
  #index: MonthIndex = { months: [], removed: [] };

  constructor(options: StoredMonthsOptions) {
    this.#options = options;
  }

  /** The months that have records, oldest first. */
  get months(): readonly IndexedMonth[] {
    return this.#index.months;
  }

  /** Returns false if the index cannot be read. */
  restore(document: unknown): boolean {
    const index = readIndex(document);
    if (index !== undefined) this.#index = index;
    return index !== undefined || document === undefined;
  }

  /** The month as it is in the index, or a new one of a time zone. */
  indexed(month: Month, zone: string): IndexedMonth {
    return this.#named(month.name) ?? { ...month, zone, isWhole: false };
  }

  /** The records of a month. Yields to the event loop. */
  async *records(month: Pick<Month, 'name'>): AsyncGenerator<readonly MonthRecord[]> {
    for (const kind of itemKinds) {
      for await (const batch of this.batches(month, kind)) {
        yield batch.flatMap((stored) => this.#read(month, kind, stored) ?? []);
        await yieldToEventLoop();
      }
    }
  }

  /** The rows of a month. */
  async *batches(
    month: Pick<Month, 'name'>,
    kind: ItemKind,
  ): AsyncGenerator<readonly StoredMonth[]> {
    const read = (afterId: number) =>
      this.#options.readMonth({ kind: monthKind(month, kind), afterId, most: batchSize });
    for (let next = read(-1); ; ) {
      const batch = await next;
      const last = batch.at(-1);
      if (last === undefined) return;
      if (batch.length < batchSize) {
        yield batch;
        return;
      }
      // The store reads the next batch while this one is used.
      next = read(last.id);
      // A reader that stops early does not await it.
      next.catch(() => undefined);
      yield batch;
    }
  }

  /** Stores records. The month is in the index before its first record is in the store. */
  async store(month: IndexedMonth, records: readonly MonthRecord[]): Promise<void> {
    if (records.length === 0) return;
    const documents: DocumentChanges = new DocumentSet();
    for (const record of records) {
      documents.set(`${monthKind(month, record.kind)} ${record.id}`, monthBody(record));
    }
    const isKnown = this.#named(month.name) !== undefined;
    await this.#storeIndex(isKnown ? this.#index : this.#with(month), documents);
  }

  /** Stores records of removed items, and deletes those of the items that were removed first. */
  async storeRemoved(
    month: IndexedMonth,
    records: readonly MonthRecord[],
    isListed: (kind: ItemKind, id: number) => boolean,
  ): Promise<void> {
    await this.store(month, records);
    const removed = [...this.#index.removed];
    for (const record of records) {
      if (!removed.some(([kind, id]) => kind === record.kind && id === record.id)) {
        removed.push([record.kind, record.id]);
      }
    }
    const documents: DocumentChanges = new DocumentSet();
    for (const [kind, id] of removed.splice(0, removed.length - maxRemoved)) {
      if (isListed(kind, id)) continue;
      for (const of of this.months) documents.set(`${monthKind(of, kind)} ${id}`, null);
    }
    await this.#storeIndex({ ...this.#index, removed }, documents);
  }

  /** Notes that all items have their records, with the sums of the groups. */
  async complete(month: IndexedMonth): Promise<void> {
    const groups = await this.#groupsOf(month);
    await this.#storeIndex(this.#with({ ...month, isWhole: true, groups }), new DocumentSet());
  }

  /** Deletes a month with its records. */
  async delete(month: IndexedMonth): Promise<void> {
    for (const kind of itemKinds) {
      for await (const batch of this.batches(month, kind)) {
        const documents = new DocumentSet<null>();
        for (const { id } of batch) documents.set(`${monthKind(month, kind)} ${id}`, null);
        await this.#options.storeDocuments(documents);
      }
    }
    const months = this.months.filter((one) => one !== month);
    await this.#storeIndex({ ...this.#index, months }, new DocumentSet());
  }

  /** The checks of each group, as one sum. */
  async #groupsOf(month: IndexedMonth): Promise<GroupMonth[]> {
    const groups = new Map<string, GroupMonth>();
    for await (const batch of this.records(month)) {
      for (const { groups: of, seconds, maintenance } of batch) {
        const { up, down } = outsideMaintenance(seconds, maintenance);
        for (const { name, ratio } of of) {
          const sum = groups.get(name) ?? { name, ratio, up: 0, down: 0 };
          groups.set(name, { ...sum, ratio, up: sum.up + up, down: sum.down + down });
        }
      }
    }
    return [...groups.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #storeIndex(index: MonthIndex, documents: DocumentChanges): Promise<void> {
    if (index !== this.#index) documents.set(indexName, index);
    await this.#options.storeDocuments(documents);
    this.#index = index;
  }

  #with(month: IndexedMonth): MonthIndex {
    const others = this.#index.months.filter(({ name }) => name !== month.name);
    const months = [...others, month].sort((a, b) => a.fromSeconds - b.fromSeconds);
    return { ...this.#index, months };
  }

  #named(name: string): IndexedMonth | undefined {
    return this.#index.months.find((month) => month.name === name);
  }

  /** Undefined, with a line in the log, if it cannot be read. */
  #read(
    { name }: Pick<Month, 'name'>,
    kind: ItemKind,
    stored: StoredMonth,
  ): MonthRecord | undefined {
    const { account, log } = this.#options;
    const { id } = stored;
    try {
      if ('reason' in stored) throw new CorruptRowError(stored.reason);
      return readMonthBody(kind, id, stored.value);
    } catch (error) {
      if (!(error instanceof CorruptRowError)) throw error;
      const fields = { account, month: name, kind, id, reason: error.message };
      log.error(fields, 'record of a month unreadable; the report of that month lacks it');
      return undefined;
    }
  }
}
