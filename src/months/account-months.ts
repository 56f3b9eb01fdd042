import type { AccountParts } from '../feature.ts';
import { unixSeconds } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import { missingPast } from '../slo/past.ts';
import { historySeconds } from '../slo/state-log.ts';
import type { ListedItem } from '../state/leaving.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { type Month, MonthCalendar, monthsKept } from './calendar.ts';
import { type IndexedMonth, monthKind, removedAt } from './documents.ts';
import { existedIn, itemsOf, monthOf } from './item-month.ts';
import type { MonthRecord } from './month-record.ts';
import { PastMonths } from './past-months.ts';
import { batchSize, StoredMonths } from './stored-months.ts';

/** Items are examined in steps of this size, and other work is done in between. */
const itemsPerStep = 250;
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
  | 'finishedPasts'
  | 'log'
>;

/**
 * The months of an account. When the horizon of an item has passed the end of a month, the record of
 * that month is written. It changes only if it lacks time that an operator has read afterwards, or
 * if it is that of a removed item that returns.
 */
export class AccountMonths {
  readonly #options: MonthsOptions;
  readonly #stored: StoredMonths;
  readonly #past: PastMonths;
  #calendar: MonthCalendar;
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
    this.#past = new PastMonths(options, this.#stored);
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
    return this.#stored.months;
  }

  /** UNIX seconds of the service's clock. */
  get nowSeconds(): number {
    return unixSeconds(this.#options.serviceClock);
  }

  /** Whether the item exists now. */
  lists({ kind, id }: Pick<MonthRecord, 'kind' | 'id'>): boolean {
    return itemsOf(this.#options.state, kind).has(id);
  }

  /** Whether the check is in the group now. */
  isIn(group: string, { kind, id }: Pick<MonthRecord, 'kind' | 'id'>): boolean {
    const { state, policies } = this.#options;
    const entry = kind === 'check' ? state.checks.get(id)?.entry : undefined;
    return entry !== undefined && policies.slo.groups.of(entry).includes(group);
  }

  /** Returns false if the index cannot be read. */
  restore(document: unknown): boolean {
    return this.#stored.restore(document);
  }

  /** Computes the records of items that a list has removed. They are stored with the next ones. */
  removed(kind: ItemKind, items: Iterable<ListedItem>): void {
    const now = this.nowSeconds;
    for (const item of items) {
      for (const month of [...this.#ended(now), this.calendar.containing(now)]) {
        if (!existedIn(item, month) || this.#has(month, kind, item.entry.id)) continue;
        const removedAtSeconds = now < month.toSeconds ? now : undefined;
        const record = monthOf(kind, item, month, this.#options, removedAtSeconds);
        this.#left.push({ month, record });
      }
      this.#dueSeconds = 0;
    }
  }

  /** Writes the records that are due, if there are any, without waiting for it. */
  refreshed(): void {
    this.#followTimeZone();
    const isDue = this.nowSeconds >= this.#dueSeconds || this.#past.isNew;
    if (this.#writing !== undefined || !isDue) return;
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
    const completed = this.#past.completing(month, this.nowSeconds);
    for (const kind of itemKinds) {
      let records: MonthRecord[] = [];
      for (const item of this.#items(kind)) {
        if (!existedIn(item, month)) continue;
        records.push(completed(monthOf(kind, item, month, this.#options)));
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
      await this.#past.write({ calendar: this.#calendar, now, awaited: this.#ended(now) });
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
      const indexed = this.#stored.indexed(month, this.calendar.zone);
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
        else due.push(monthOf(kind, item, month, this.#options));
        if (due.length >= batchSize) await this.#store(month, due.splice(0));
      }
      await this.#store(month, due);
    }
    // A horizon that is so late can no longer tell what was in the month.
    if (!isWhole && now < month.toSeconds + historySeconds) return;
    await this.#stored.complete(month);
    for (const kind of itemKinds) this.#written.delete(monthKind(month, kind));
  }

  async #writeLeft(): Promise<void> {
    while (this.#left.length > 0) {
      const left = this.#left.slice(0, batchSize);
      const [{ month } = { month: undefined }] = left;
      if (month === undefined) return;
      const ofMonth = left.filter((one) => one.month.name === month.name);
      await this.#stored.storeRemoved(
        this.#stored.indexed(month, this.#calendar.zone),
        ofMonth.map(({ record }) => record),
        (kind, id) => this.lists({ kind, id }),
      );
      const stored = new Set(ofMonth);
      this.#left = this.#left.filter((one) => !stored.has(one));
    }
  }

  async #store(month: IndexedMonth, records: readonly MonthRecord[]): Promise<void> {
    await this.#stored.store(month, records);
    for (const { kind, id } of records) this.#written.get(monthKind(month, kind))?.add(id);
  }

  /** Deletes the records of months beyond those that are kept. */
  async #forget(now: number): Promise<void> {
    const oldest = this.#calendar.later(this.#calendar.containing(now), -monthsKept);
    for (const month of this.months) {
      if (month.name < oldest.name) await this.#stored.delete(month);
    }
  }

  /** The items that have a final record, read once from the store. */
  async #writtenIn(month: IndexedMonth, kind: ItemKind): Promise<Set<number>> {
    const key = monthKind(month, kind);
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const written = new Set<number>();
    if (this.months.includes(month)) {
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
    return itemsOf(this.#options.state, kind).records();
  }
}
