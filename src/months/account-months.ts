import type { AccountParts } from '../feature.ts';
import { unixSeconds } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import { missingPast } from '../slo/past.ts';
import { historySeconds } from '../slo/state-log.ts';
import type { ListedItem } from '../state/account-state.ts';
import { type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { type Month, MonthCalendar, monthsKept } from './calendar.ts';
import {
  type GroupMonth,
  type IndexedMonth,
  indexName,
  type MonthIndex,
  monthBody,
  monthKind,
  readIndex,
  removedAt,
} from './documents.ts';
import { type MonthRecord, monthStates, outsideMaintenance } from './month-record.ts';
import { StoredMonths } from './stored-months.ts';

/** Records are written in batches of this size. */
const batchSize = 250;
/** Items are examined in steps of this size, and other work is done in between. */
const itemsPerStep = 250;
/** Records of removed items are kept for at most this many items. */
const maxRemoved = 2_000;
/** While items wait, they are examined again after this time, in seconds. */
const retrySeconds = 60;
/** The time in seconds for which a month waits for states before first sight that are being read. */
const patienceSeconds = 3 * 86_400;

type MonthsOptions = Pick<
  AccountParts,
  | 'account'
  | 'state'
  | 'serviceClock'
  | 'policies'
  | 'storeDocuments'
  | 'readMonth'
  | 'isPastRead'
  | 'log'
>;

const kindNames = { check: 'checks', transaction: 'transactions' } as const;

/**
 * The months of an account. When the horizon of an item has passed the end of a month, the record of
 * that month is written, and does not change any more. Only the record of a removed item is
 * replaced, if the item returns. Records are in the store, not in memory.
 */
export class AccountMonths {
  readonly #options: MonthsOptions;
  readonly #stored: StoredMonths;
  #calendar: MonthCalendar;
  #index: MonthIndex = { months: [], removed: [] };
  /** The items that have a record, by kind and month; only of months that are not whole. */
  readonly #written = new Map<string, Set<number>>();
  /** Records of removed items that are not stored yet. */
  #left: { readonly month: Month; readonly record: MonthRecord }[] = [];
  /** UNIX seconds of the next examination. */
  #dueSeconds = 0;
  #writing: Promise<void> | undefined;

  constructor(options: MonthsOptions) {
    this.#options = options;
    this.#stored = new StoredMonths(options);
    this.#calendar = new MonthCalendar(options.policies.timeZone);
  }

  get account(): string {
    return this.#options.account;
  }

  /** The months of the configured time zone. */
  get calendar(): MonthCalendar {
    this.#followTimeZone();
    return this.#calendar;
  }

  /** The months that have records, oldest first. */
  get months(): readonly IndexedMonth[] {
    return this.#index.months;
  }

  /** UNIX seconds of the service's clock. */
  get nowSeconds(): number {
    return unixSeconds(this.#options.serviceClock);
  }

  /** Whether the item exists now. */
  lists({ kind, id }: Pick<MonthRecord, 'kind' | 'id'>): boolean {
    return this.#options.state[kindNames[kind]].has(id);
  }

  /** Whether the check is in the group now. */
  isIn(group: string, { kind, id }: Pick<MonthRecord, 'kind' | 'id'>): boolean {
    const { state, policies } = this.#options;
    const entry = kind === 'check' ? state.checks.get(id)?.entry : undefined;
    return entry !== undefined && policies.slo.groups.of(entry).includes(group);
  }

  /** Returns false if the index cannot be read. */
  restore(document: unknown): boolean {
    const index = readIndex(document);
    if (index !== undefined) this.#index = index;
    return index !== undefined || document === undefined;
  }

  /** Computes the records of items that a list has removed. They are stored with the next ones. */
  removed(kind: ItemKind, items: Iterable<ListedItem>): void {
    const now = this.nowSeconds;
    for (const item of items) {
      for (const month of [...this.#ended(now), this.calendar.containing(now)]) {
        if (!existedIn(item, month) || this.#has(month, kind, item.entry.id)) continue;
        const record = this.#recordOf(kind, item, month, now < month.toSeconds ? now : undefined);
        this.#left.push({ month, record });
      }
      this.#dueSeconds = 0;
    }
  }

  /** Writes the records that are due, if there are any, without waiting for it. */
  refreshed(): void {
    this.#followTimeZone();
    if (this.#writing !== undefined || this.nowSeconds < this.#dueSeconds) return;
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when no record is being written. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** The stored records of a month, in batches. Rejects with a `StoreError`. */
  stored(month: Pick<Month, 'name'>): AsyncGenerator<readonly MonthRecord[]> {
    return this.#stored.records(month);
  }

  /** The records of the listed items as they are now, in batches. Yields to the event loop. */
  async *present(month: Month): AsyncGenerator<readonly MonthRecord[]> {
    for (const kind of itemKinds) {
      let records: MonthRecord[] = [];
      for (const item of this.#items(kind)) {
        if (!existedIn(item, month)) continue;
        records.push(this.#recordOf(kind, item, month));
        if (records.length < itemsPerStep) continue;
        yield records;
        records = [];
        await yieldToEventLoop();
      }
      yield records;
    }
  }

  /** A reload may have changed the time zone; then the months are examined again. */
  #followTimeZone(): void {
    const { timeZone } = this.#options.policies;
    if (timeZone === this.#calendar.zone) return;
    this.#calendar = new MonthCalendar(timeZone);
    this.#dueSeconds = 0;
  }

  async #write(): Promise<void> {
    const { account, log } = this.#options;
    try {
      const now = this.nowSeconds;
      await this.#writeLeft();
      for (const month of this.#ended(now)) await this.#writeMonth(month, now);
      await this.#forget(now);
      const isWaiting = this.#ended(now).length > 0;
      this.#dueSeconds = isWaiting ? now + retrySeconds : this.#calendar.containing(now).toSeconds;
    } catch (error) {
      this.#dueSeconds = this.nowSeconds + retrySeconds;
      // The store reports its own failures.
      if (error instanceof StoreError) return;
      log.error({ account, error }, 'months could not be written; trying again');
    }
  }

  /** The months that have ended and are not whole, oldest first. Older ones are in no log. */
  #ended(now: number): IndexedMonth[] {
    const months: IndexedMonth[] = [];
    const first = Math.max(this.#firstStart(), now - historySeconds);
    for (let at = first; ; ) {
      const month = this.calendar.containing(at);
      if (month.toSeconds > now) return months;
      const known = this.#index.months.find(({ name }) => name === month.name);
      const indexed = known ?? { ...month, zone: this.calendar.zone, isWhole: false };
      if (!indexed.isWhole) months.push(indexed);
      at = month.toSeconds;
    }
  }

  #firstStart(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const kind of itemKinds) {
      for (const { totals } of this.#items(kind)) {
        first = Math.min(first, totals.states.startSeconds);
      }
    }
    return Math.min(first, this.nowSeconds);
  }

  async #writeMonth(month: IndexedMonth, now: number): Promise<void> {
    let isWhole = true;
    let count = 0;
    for (const kind of itemKinds) {
      const written = await this.#writtenIn(month, kind);
      const due: MonthRecord[] = [];
      for (const item of [...this.#items(kind)]) {
        if (count++ % itemsPerStep === itemsPerStep - 1) await yieldToEventLoop();
        if (!existedIn(item, month) || written.has(item.entry.id)) continue;
        if (!this.#isSettled(item, month, now)) isWhole = false;
        else due.push(this.#recordOf(kind, item, month));
        if (due.length >= batchSize) await this.#store(month, due.splice(0));
      }
      await this.#store(month, due);
    }
    // A horizon that is so late can no longer tell what was in the month.
    if (!isWhole && now < month.toSeconds + historySeconds) return;
    const groups = await this.#groupsOf(month);
    await this.#storeIndex(this.#withMonth({ ...month, isWhole: true, groups }), new DocumentSet());
    for (const kind of itemKinds) this.#written.delete(monthKind(month, kind));
  }

  /** The checks of each group, as one sum. */
  async #groupsOf(month: IndexedMonth): Promise<GroupMonth[]> {
    const groups = new Map<string, GroupMonth>();
    for await (const batch of this.stored(month)) {
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

  async #writeLeft(): Promise<void> {
    while (this.#left.length > 0) {
      const left = this.#left.slice(0, batchSize);
      const [{ month } = { month: undefined }] = left;
      const ofMonth = left.filter((one) => one.month.name === month?.name);
      if (month === undefined) return;
      const { zone } = this.#calendar;
      const known = this.#index.months.find(({ name }) => name === month.name);
      await this.#store(
        known ?? { ...month, zone, isWhole: false },
        ofMonth.map(({ record }) => record),
      );
      const stored = new Set(ofMonth);
      this.#left = this.#left.filter((one) => !stored.has(one));
      const documents = new DocumentSet<null>();
      const removed = [...this.#index.removed];
      for (const { record } of ofMonth) {
        if (!removed.some(([kind, id]) => kind === record.kind && id === record.id)) {
          removed.push([record.kind, record.id]);
        }
      }
      for (const [kind, id] of removed.splice(0, removed.length - maxRemoved)) {
        if (this.#options.state[kindNames[kind]].has(id)) continue;
        for (const of of this.#index.months) documents.set(`${monthKind(of, kind)} ${id}`, null);
      }
      await this.#storeIndex({ ...this.#index, removed }, documents);
    }
  }

  /** The month is in the index before its first record is in the store. */
  async #store(month: IndexedMonth, records: readonly MonthRecord[]): Promise<void> {
    if (records.length === 0) return;
    const documents: DocumentChanges = new DocumentSet();
    for (const record of records) {
      documents.set(`${monthKind(month, record.kind)} ${record.id}`, monthBody(record));
    }
    await this.#storeIndex(this.#withMonth(month), documents);
    for (const { kind, id, removedAtSeconds } of records) {
      if (removedAtSeconds === undefined) this.#written.get(monthKind(month, kind))?.add(id);
    }
  }

  async #storeIndex(index: MonthIndex, documents: DocumentChanges): Promise<void> {
    if (index !== this.#index) documents.set(indexName, index);
    await this.#options.storeDocuments(documents);
    this.#index = index;
  }

  #withMonth(month: IndexedMonth): MonthIndex {
    const { months } = this.#index;
    const known = months.find(({ name }) => name === month.name);
    if (known?.isWhole === month.isWhole) return this.#index;
    const others = months.filter((one) => one !== known);
    const sorted = [...others, month].sort((a, b) => a.fromSeconds - b.fromSeconds);
    return { ...this.#index, months: sorted };
  }

  /** Deletes the records of months beyond those that are kept. */
  async #forget(now: number): Promise<void> {
    const oldest = this.#calendar.later(this.#calendar.containing(now), -monthsKept);
    for (const month of this.#index.months) {
      if (month.name >= oldest.name) continue;
      for (const kind of itemKinds) {
        for await (const batch of this.#stored.batches(month, kind)) {
          const documents = new DocumentSet<null>();
          for (const { id } of batch) documents.set(`${monthKind(month, kind)} ${id}`, null);
          await this.#options.storeDocuments(documents);
        }
      }
      const months = this.#index.months.filter((one) => one !== month);
      await this.#storeIndex({ ...this.#index, months }, new DocumentSet());
    }
  }

  /** The items that have a final record, read once from the store. */
  async #writtenIn(month: IndexedMonth, kind: ItemKind): Promise<Set<number>> {
    const key = monthKind(month, kind);
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const written = new Set<number>();
    if (this.#index.months.includes(month)) {
      for await (const batch of this.#stored.batches(month, kind)) {
        for (const stored of batch) {
          const value = 'value' in stored ? stored.value : undefined;
          if (removedAt(value) === undefined) written.add(stored.id);
        }
      }
    }
    return getOrMake(this.#written, key, () => written);
  }

  #has(month: Month, kind: ItemKind, id: number): boolean {
    return this.#written.get(monthKind(month, kind))?.has(id) === true;
  }

  /** Whether the states of the month do not change any more. */
  #isSettled({ entry, totals }: ListedItem, month: Month, now: number): boolean {
    if (totals.states.horizonSeconds < month.toSeconds) return false;
    if (now >= month.toSeconds + patienceSeconds) return true;
    const { tail } = totals.log ?? {};
    if (tail !== undefined && tail.fromSeconds < month.toSeconds) return false;
    const missing = this.#options.isPastRead ? missingPast(totals, entry) : undefined;
    return missing === undefined || missing.toSeconds <= month.fromSeconds;
  }

  #items(kind: ItemKind): Iterable<ListedItem> {
    return this.#options.state[kindNames[kind]].records();
  }

  #recordOf(
    kind: ItemKind,
    { entry, totals, details }: ListedItem,
    month: Month,
    removedAtSeconds?: number,
  ): MonthRecord {
    const { state, policies } = this.#options;
    const { objectives, groups } = policies.slo;
    const { id, name, tags, createdAtSeconds } = entry;
    const occurrencesOf = kind === 'check' ? state.occurrencesOf : state.transactionOccurrencesOf;
    const names = kind === 'check' ? groups.of(entry) : [];
    const source = { known: totals, kind, createdAtSeconds, removedAtSeconds };
    return {
      kind,
      id,
      name,
      tags: tags.map((tag) => tag.name),
      groups: names.map((group) => ({ name: group, ratio: objectives.ofGroup(group).ratio })),
      objective: objectives.of(entry).ratio,
      ...monthStates(
        { ...source, occurrences: occurrencesOf(id), notes: details.notes?.value },
        month,
      ),
    };
  }
}

/** Whether the item was seen before the end of the month, and not created later. */
function existedIn({ entry, totals }: ListedItem, { toSeconds }: Month): boolean {
  const { createdAtSeconds = 0 } = entry;
  return Math.max(totals.states.startSeconds, createdAtSeconds) < toSeconds;
}
