import type { AccountParts } from '../feature.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Month, NamedMonth } from '../lib/month-calendar.ts';
import { present } from '../lib/present.ts';
import { jointObjective } from '../slo/verdict.ts';
import type { Leaving } from '../state/items/removed-items.ts';
import { type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import {
  type GroupMonth,
  type IndexedMonth,
  indexName,
  type MonthIndex,
  monthBody,
  monthKind,
  readIndex,
} from './documents.ts';
import { type MonthRecord, rangeSumsOf } from './month-record.ts';
import { MonthRows, type MonthRowsOptions } from './month-rows.ts';
import { keyOf, type Subject } from './subject.ts';
import { WaitingRecords } from './waiting-records.ts';

/** Records are kept of at most this many items that lists have lost. */
const maxRemoved = 2_000;

type StoredMonthsOptions = MonthRowsOptions &
  Pick<AccountParts, 'storeDocuments'> & {
    readonly policies: Pick<AccountParts['policies'], 'calendar'>;
  };

/** An item that left and has records. */
export type RemovedItem = MonthIndex['removed'][number];

/**
 * The records of an account's months, and the index of these months. Records are in the store, not
 * in memory. Methods that read or write reject with a `StoreError`.
 */
export class StoredMonths {
  readonly #options: StoredMonthsOptions;
  readonly #rows: MonthRows;
  readonly #waiting = new WaitingRecords();
  #index: MonthIndex = { months: [], removed: [] };
  #isIndexStored = true;

  constructor(options: StoredMonthsOptions) {
    this.#options = options;
    this.#rows = new MonthRows(options);
  }

  /** The months that have begun, oldest first. */
  get months(): readonly IndexedMonth[] {
    return this.#index.months;
  }

  /** Items that left and have records; a returned one until it is sealed again. */
  get removed(): MonthIndex['removed'] {
    return this.#index.removed;
  }

  /** Returns false if the index cannot be read. */
  restore(documents: DocumentSet): boolean {
    const document = documents.get(indexName);
    const index = readIndex(document);
    if (index !== undefined) this.#index = index;
    this.#options.policies.calendar.keep(this.months);
    this.#restoreUnstored(documents);
    return index !== undefined || document === undefined;
  }

  /** Records of months are only among those that the account with former settings could not store. */
  #restoreUnstored(documents: DocumentSet): void {
    for (const month of this.months) {
      for (const kind of itemKinds) {
        const rowKind = monthKind(month, kind);
        for (const [id, value] of documents.all(rowKind)) {
          const record = this.#rows.recordOf(month, kind, { kind: rowKind, id, value });
          if (record !== undefined) this.addRemoved(month, record);
        }
      }
    }
  }

  indexed({ name }: NamedMonth): IndexedMonth | undefined {
    return this.#index.months.find((month) => month.name === name);
  }

  /** The month as it is in the index, where it now is. It keeps its bounds. */
  begun(month: Month): IndexedMonth {
    const known = this.indexed(month);
    if (known !== undefined) return known;
    const begun = { ...month, isWhole: false };
    this.#options.policies.calendar.keep([begun]);
    this.#set(begun);
    return begun;
  }

  /** When the item left, so that it may have records that it did not write since it returned. */
  leftOf({ kind, id }: Subject): RemovedItem | undefined {
    return this.#index.removed.find((one) => one.id === id && one.kind === kind);
  }

  /** A list has these items. Those that left wait until they are sealed again. */
  noteListed(kind: ItemKind, ids: ReadonlySet<number>, atSeconds: number): void {
    const hasReturned = (one: RemovedItem) => one.kind === kind && ids.has(one.id);
    if (!this.#index.removed.some(hasReturned)) return;
    const removed = this.#index.removed.map((one) =>
      hasReturned(one) ? { ...one, returnedAtSeconds: atSeconds } : one,
    );
    this.#setIndex({ ...this.#index, removed });
  }

  /** The records of a month, with those that are being stored. Yields to the event loop. */
  async *records(month: NamedMonth): AsyncGenerator<readonly MonthRecord[]> {
    for (const kind of itemKinds) {
      const waiting = this.#waiting.of(month, kind);
      for await (const batch of this.#rows.batches(month, kind)) {
        const others = batch.filter(({ id }) => !waiting.has(id));
        yield others.flatMap((row) => this.#rows.recordOf(month, kind, row) ?? []);
        await yieldToEventLoop();
      }
      yield [...waiting.values()].filter((record) => record !== null);
    }
  }

  /** For each month, the records of some items, with those that are being stored. */
  async recordsOf(
    months: readonly NamedMonth[],
    kind: ItemKind,
    ids: readonly number[],
  ): Promise<readonly (readonly MonthRecord[])[]> {
    const begun = months.filter((month) => this.indexed(month) !== undefined);
    if (ids.length === 0 || begun.length === 0) return months.map(() => []);
    const waiting = begun.map((month) => this.#waiting.of(month, kind));
    const stored = await this.#rows.recordsOf(begun, kind, ids);
    const known = waiting.map((changes, place) => [
      ...ids.flatMap((id) => changes.get(id) ?? []),
      ...(stored[place] ?? []).filter(({ id }) => !changes.has(id)),
    ]);
    return months.map((month) => known[begun.indexOf(month)] ?? []);
  }

  /** Undefined if there is none. */
  async record(month: NamedMonth, { kind, id }: Subject): Promise<MonthRecord | undefined> {
    const [[record] = []] = await this.recordsOf([month], kind, [id]);
    return record;
  }

  /** Stores records. The month is in the index before its first record is in the store. */
  async store(month: Month, records: readonly MonthRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.#commit(this.documentsOf(month, records));
  }

  documentsOf(month: Month, records: readonly MonthRecord[]): DocumentChanges {
    this.begun(month);
    const documents: DocumentChanges = new DocumentSet();
    for (const record of records) {
      documents.set(monthKind(month, record.kind), monthBody(record), record.id);
      this.#waiting.replace({ month, subject: record, record });
    }
    return documents;
  }

  /** Adds the index, if it has changed. Returns what must be called when the documents are stored. */
  addIndex(documents: DocumentChanges): () => void {
    if (this.#isIndexStored) return () => {};
    const index = this.#index;
    documents.set(indexName, index);
    return () => {
      if (index === this.#index) this.#isIndexStored = true;
    };
  }

  async #commit(documents: DocumentChanges): Promise<void> {
    const stored = this.addIndex(documents);
    if (documents.size === 0) return;
    await this.#options.storeDocuments(documents);
    stored();
  }

  /** The record of an item that left. It is stored with the list. */
  addRemoved(month: Month, record: MonthRecord): void {
    this.begun(month);
    this.#waiting.add({ month, subject: record, record });
  }

  /** Notes that items left. Deletes the records of those that lists have lost first. */
  noteLeft(
    subjects: readonly Subject[],
    { atSeconds, why }: Leaving,
    isListed: (subject: Subject) => boolean,
  ): void {
    const leaving = new Set(subjects.map(keyOf));
    const removed = this.#index.removed.filter((one) => !leaving.has(keyOf(one)));
    for (const { kind, id } of subjects) removed.push({ kind, id, atSeconds, why });
    const lost = removed.filter((one) => one.why === 'list');
    const beyond = new Set(lost.slice(0, Math.max(0, lost.length - maxRemoved)));
    const gone = [...beyond].filter((one) => !isListed(one));
    for (const subject of gone) {
      for (const month of this.months) this.#waiting.add({ month, subject, record: null });
    }
    if (gone.length > 0) {
      const { account, log } = this.#options;
      log.warn({ account, items: gone.length }, 'months of the oldest removed items deleted');
    }
    this.#setIndex({ ...this.#index, removed: removed.filter((one) => !beyond.has(one)) });
  }

  /** The items are sealed again since they returned, unless they have left again meanwhile. */
  noteSealedAgain(returned: ReadonlySet<RemovedItem>): void {
    const removed = this.#index.removed.filter((one) => !returned.has(one));
    if (removed.length < this.#index.removed.length) this.#setIndex({ ...this.#index, removed });
  }

  /** Returns what has changed since the last call, which is stored with the state. */
  takeChanges(): DocumentChanges {
    const documents: DocumentChanges = new DocumentSet();
    for (const { month: named, subject, record } of this.#waiting.take()) {
      const month = this.indexed(named);
      if (month === undefined) continue;
      if (record !== null) documents.add(this.documentsOf(month, [record]));
      else documents.set(monthKind(month, subject.kind), null, subject.id);
    }
    if (!this.#isIndexStored) documents.set(indexName, this.#index);
    this.#isIndexStored = true;
    return documents;
  }

  notStored(): void {
    this.#waiting.notStored();
    this.#isIndexStored = false;
  }

  /** Notes that all items have their records, with the sums of the groups. */
  async markWhole(month: IndexedMonth): Promise<void> {
    const groups = new Map<string, GroupMonth>();
    let [known, unknown] = [0, 0];
    for await (const batch of this.records(month)) {
      for (const record of batch) {
        const sums = rangeSumsOf(record);
        known += sums.known;
        unknown += sums.unwatched;
        for (const { name, ratio } of record.groups) {
          const sum = groups.get(name) ?? { ratio, up: 0, down: 0, known: 0, unwatched: 0 };
          groups.set(name, {
            name,
            ratio: jointObjective([{ ...sum, awaited: 0 }, sum.ratio], [sums, ratio]),
            up: sum.up + sums.up,
            down: sum.down + sums.down,
            known: sum.known + sums.known,
            unwatched: sum.unwatched + sums.unwatched,
          });
        }
      }
    }
    const { daysNotRead } = this.indexed(month) ?? month;
    this.#set({
      ...month,
      ...present({ daysNotRead }),
      isWhole: true,
      groups: [...groups.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
      knownShare: known + unknown === 0 ? 0 : known / (known + unknown),
    });
    await this.#commit(new DocumentSet());
  }

  /** Stores the records that are completed, once. */
  async completeRecords(
    month: IndexedMonth,
    completed: (record: MonthRecord) => Promise<MonthRecord>,
  ): Promise<void> {
    for await (const batch of this.records(month)) {
      const after = await Promise.all(batch.map(completed));
      await this.store(
        month,
        after.filter((record, place) => record !== batch[place]),
      );
    }
    this.#set({ ...month, ...this.indexed(month), isCompleted: true });
    await this.#commit(new DocumentSet());
  }

  noteDays(month: Month, daysNotRead: IndexedMonth['daysNotRead']): void {
    const { daysNotRead: before, ...indexed } = this.begun(month);
    if (daysNotRead !== before) this.#set({ ...indexed, ...present({ daysNotRead }) });
  }

  /** These months have further records, so the sums of their groups are computed again. */
  reopen(names: ReadonlySet<string>): void {
    for (const month of this.months) {
      if (month.isWhole && names.has(month.name)) this.#set({ ...month, isWhole: false });
    }
  }

  /** Deletes a month with its records. */
  async delete(month: IndexedMonth): Promise<void> {
    for (const kind of itemKinds) {
      for await (const batch of this.#rows.batches(month, kind)) {
        const documents = new DocumentSet<null>();
        for (const { id } of batch) documents.set(monthKind(month, kind), null, id);
        await this.#options.storeDocuments(documents);
      }
    }
    const months = this.months.filter((one) => one !== month);
    // An item has records of months that began before it left.
    const hasRecords = ({ atSeconds }: RemovedItem) =>
      months.some(({ fromSeconds }) => fromSeconds <= atSeconds);
    this.#setIndex({ months, removed: this.removed.filter(hasRecords) });
    await this.#commit(new DocumentSet());
  }

  #set(month: IndexedMonth): void {
    const others = this.#index.months.filter(({ name }) => name !== month.name);
    const months = [...others, month].sort((a, b) => a.fromSeconds - b.fromSeconds);
    this.#setIndex({ ...this.#index, months });
  }

  #setIndex(index: MonthIndex): void {
    this.#index = index;
    this.#isIndexStored = false;
  }
}
