import type { AccountParts } from '../feature.ts';
import { unixSeconds } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { type Month, type MonthCalendar, monthsKept } from '../lib/month-calendar.ts';
import { recordedFromSeconds } from '../slo/known-range.ts';
import type { Leaving } from '../state/items/removed-items.ts';
import type { ListedItem } from '../state/leaving.ts';
import type { DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { type DaysNotRead, type IndexedMonth, indexName } from './documents.ts';
import { isSealed, ListedMonths } from './listed-months.ts';
import type { MonthRecord } from './month-record.ts';
import { NamesOfThen, namesDocument } from './names-of-then.ts';
import { PastMonths } from './past-months.ts';
import { ResponseDays } from './response-days.ts';
import { Sealing } from './sealing.ts';
import { StoredMonths } from './stored-months.ts';
import { keyOf, type Subject } from './subject.ts';

/** Items are examined in steps of this size, and other work is done in between. */
const itemsPerStep = 50;
/**
 * After the end of a month its last response times, which reports have for a week, and causes of its
 * outages are read. In seconds.
 */
export const completeSeconds = 8 * 86_400;
/** While items wait, they are examined again after this time, in milliseconds. */
const retryAfter = 60_000;
/** Months are sealed this time after the first list, which costs enough. In milliseconds. */
const settleTime = 300_000;

type MonthsOptions = Pick<
  AccountParts,
  | 'account'
  | 'state'
  | 'serviceClock'
  | 'policies'
  | 'storeDocuments'
  | 'readMonth'
  | 'isPastRead'
  | 'service'
  | 'reads'
  | 'secondsToRead'
  | 'lastingSeconds'
  | 'finishedPasts'
  | 'log'
>;

/** Whether a month has ended and has all its records, lacks some, or goes on. */
export type MonthPhase = 'whole' | 'partial' | 'present';

/**
 * The months of an account. The month of an item is its sealed record if there is one, else its
 * log, whether the month goes on or has ended.
 */
export class AccountMonths {
  readonly #options: MonthsOptions;
  readonly #stored: StoredMonths;
  readonly #sealing: Sealing;
  readonly #past: PastMonths;
  readonly #names: NamesOfThen;
  readonly #listed: ListedMonths;
  /** Response times that are read by day. */
  readonly pasts: ResponseDays;
  /**
   * When items are examined again, in monotonic milliseconds: the time of the service is not known
   * before the first response.
   */
  #dueAt = Number.POSITIVE_INFINITY;
  /** The month that went on at the last refresh. */
  #lastPresent: string | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: MonthsOptions) {
    this.#options = options;
    this.#names = new NamesOfThen(options);
    const parts = { ...options, namesOfThen: this.#names };
    this.#stored = new StoredMonths(options);
    this.#past = new PastMonths(parts, this.#stored);
    this.#listed = new ListedMonths(parts, this.#stored, this.#past);
    this.#sealing = new Sealing(options.state, this.#stored, this.#listed);
    this.pasts = new ResponseDays(options, this.#stored, this.#listed);
    this.#examineIn(settleTime);
  }

  get account(): string {
    return this.#options.account;
  }

  get calendar(): MonthCalendar {
    return this.#options.policies.calendar;
  }

  /** The months that have begun while the account was watched, oldest first. */
  get months(): readonly IndexedMonth[] {
    return this.#stored.months;
  }

  /** The months of which something is recorded or known, and the present one, oldest first. */
  get known(): readonly Month[] {
    const { calendar, nowSeconds } = this;
    const present = calendar.containing(nowSeconds);
    let since = nowSeconds;
    for (const kind of itemKinds) {
      for (const { entry, totals } of this.#options.state.itemsOf(kind).records()) {
        since = Math.min(since, recordedFromSeconds(totals, entry.createdAtSeconds));
      }
    }
    const months = new Map(this.months.map(({ name }) => [name, calendar.named(name)]));
    const oldest = calendar.later(present, -monthsKept);
    for (let month = calendar.containing(Math.max(since, oldest.fromSeconds)); ; ) {
      months.set(month.name, month);
      if (month.name >= present.name) break;
      month = calendar.later(month, 1);
    }
    return [...months.values()]
      .filter((month) => month !== undefined)
      .sort((a, b) => a.fromSeconds - b.fromSeconds);
  }

  /** UNIX seconds of the service's clock. */
  get nowSeconds(): number {
    return unixSeconds(this.#options.serviceClock);
  }

  /** Why response times are not read by day of checks whose hours were read too rarely. */
  daysNotRead(month: Month): DaysNotRead | undefined {
    return this.pasts.notRead(month);
  }

  /** Whether the item exists now. */
  lists({ kind, id }: Subject): boolean {
    return this.#options.state.itemsOf(kind).has(id);
  }

  /** Whether the check is in the group now. */
  isIn(group: string, { kind, id }: Subject): boolean {
    const { state, policies } = this.#options;
    const entry = kind === 'check' ? state.checks.get(id)?.entry : undefined;
    return entry !== undefined && policies.slo.groups.of(entry).includes(group);
  }

  /** Continues from the stored documents. */
  restore(documents: DocumentSet): void {
    const { account, log } = this.#options;
    if (!this.#stored.restore(documents.get(indexName))) {
      log.error({ account }, 'index of months unreadable; months are written from now on');
    }
    this.calendar.keep(this.months);
    if (!this.#names.restore(documents.get(namesDocument), this.nowSeconds)) {
      log.error({ account }, 'names at the end of a month unreadable; the present ones are used');
    }
  }

  /** A list has changed the names or tags of these items. */
  relabelled(kind: ItemKind, before: readonly ListedItem['entry'][]): void {
    const waiting = before.filter(({ id }) => {
      const { totals } = this.#options.state.itemsOf(kind).get(id) ?? {};
      return (totals?.sealedUntilSeconds ?? 0) < this.#present.fromSeconds;
    });
    if (waiting.length > 0) this.#names.relabelled(kind, waiting, this.nowSeconds);
  }

  /** Writes the records of the months in which these items lived, which are stored with the list. */
  left(kind: ItemKind, items: readonly ListedItem[], leaving: Leaving): void {
    for (const item of items) {
      for (const [month, record] of this.#listed.ofLeaving(kind, item, leaving.atSeconds)) {
        this.#stored.addRemoved(month, record);
      }
    }
    const subjects = items.map(({ entry }) => ({ kind, id: entry.id }));
    this.#stored.noteLeft(subjects, leaving, (subject) => this.lists(subject));
  }

  arrived(kind: ItemKind, ids: Iterable<number>): void {
    this.#examineIn(settleTime);
    this.#stored.noteListed(kind, new Set(ids), this.nowSeconds);
  }

  takeChanges(): DocumentChanges {
    const documents = this.#stored.takeChanges();
    const names = this.#names.takeChange();
    if (names !== undefined) documents.set(namesDocument, names);
    return documents;
  }

  notStored(): void {
    this.#stored.notStored();
    this.#names.notStored();
  }

  /** Writes the records that are due, if there are any, without waiting for it. */
  refreshed(): void {
    const now = this.nowSeconds;
    this.#names.moveTo(now);
    const present = this.#stored.begun(this.#present);
    this.calendar.keep([present]);
    const hasEnded = this.#lastPresent !== undefined && this.#lastPresent !== present.name;
    this.#lastPresent = present.name;
    if (hasEnded) this.#examineIn(0);
    const isDue = this.#options.serviceClock.monotonic() >= this.#dueAt || this.#past.isNew;
    if (this.#writing !== undefined || !isDue) return;
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when no record is being written. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** Whether the month goes on, or has all its records. */
  phaseOf(month: Month): MonthPhase {
    if (month.toSeconds > this.nowSeconds) return 'present';
    const isWhole = this.#stored.indexed(month)?.isWhole === true && !this.#awaitsReturned(month);
    return isWhole ? 'whole' : 'partial';
  }

  /** Whether an item has returned whose month is to be sealed again. */
  #awaitsReturned({ name }: Month): boolean {
    return this.#stored.removed.some(({ kind, id }) => {
      const item = this.#options.state.itemsOf(kind).get(id);
      return item && this.#listed.unsealed(kind, item).some((month) => month.name === name);
    });
  }

  /** The share of the time of all items in a month that is known, of an ended month. */
  knownShare(month: Month): number {
    const { isWhole, knownShare } = this.#stored.indexed(month) ?? {};
    if (isWhole && knownShare !== undefined) return knownShare;
    let [known, possible] = [0, 0];
    for (const kind of itemKinds) {
      for (const { entry, totals } of this.#options.state.itemsOf(kind).records()) {
        const begin = Math.max(month.fromSeconds, entry.createdAtSeconds ?? month.fromSeconds);
        const from = Math.max(begin, recordedFromSeconds(totals, entry.createdAtSeconds));
        const to = Math.min(month.toSeconds, totals.states.horizonSeconds);
        possible += Math.max(0, month.toSeconds - begin);
        known += Math.max(0, to - from);
      }
    }
    return possible === 0 ? 0 : known / possible;
  }

  /**
   * The records of some items in a month, of those that have one. Yields to the event loop. Rejects
   * with a `StoreError`.
   */
  async recordsOf(
    month: Month,
    kind: ItemKind,
    ids: readonly number[],
  ): Promise<readonly MonthRecord[]> {
    const stored = await this.#stored.recordsOf(month, kind, ids);
    const known = new Map(stored.map((record) => [record.id, record]));
    const records: MonthRecord[] = [];
    for (const [place, id] of ids.entries()) {
      if (place % itemsPerStep === itemsPerStep - 1) await yieldToEventLoop();
      const former = known.get(id);
      const isFinal = former !== undefined && this.#isFinal(former, month);
      const item = this.#options.state.itemsOf(kind).get(id);
      const record = isFinal
        ? await this.#listed.completed(former, month)
        : item && this.#unsealed(kind, item, month, former);
      if (record !== undefined) records.push(record);
    }
    return records;
  }

  /** The records of a month, in batches. Yields to the event loop. Rejects with a `StoreError`. */
  async *records(month: Month): AsyncGenerator<readonly MonthRecord[]> {
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
      for (const item of this.#options.state.itemsOf(kind).records()) {
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

  /** Items are examined in this time at the latest. */
  #examineIn(milliseconds: number): void {
    const at = this.#options.serviceClock.monotonic() + milliseconds;
    this.#dueAt = Math.min(this.#dueAt, at);
  }

  get #present(): Month {
    return this.calendar.containing(this.nowSeconds);
  }

  /** A stored record, unless the item is listed and is not sealed. */
  #isFinal({ kind, id }: MonthRecord, month: Month): boolean {
    const item = this.#options.state.itemsOf(kind).get(id);
    return item === undefined || isSealed(item, month);
  }

  async #write(): Promise<void> {
    const { account, log } = this.#options;
    try {
      const now = this.nowSeconds;
      this.#dueAt = Number.POSITIVE_INFINITY;
      const waiting = await this.#sealing.sealAll(this.#present.fromSeconds);
      await this.#completeAll(now, waiting);
      await this.#past.write(now, (month) => waiting.has(month.name));
      await this.#completeRecords(now, waiting);
      await this.#forget();
      if (waiting.size === 0) this.#names.forget();
      // Months that end meanwhile, and items that arrive, are due of themselves.
      const completeAt = this.#present.fromSeconds + completeSeconds;
      if (waiting.size > 0) this.#examineIn(retryAfter);
      else if (now < completeAt) this.#examineIn(1000 * (completeAt - now));
    } catch (error) {
      this.#examineIn(retryAfter);
      // The store reports its own failures.
      if (error instanceof StoreError) return;
      log.error({ account, error }, 'months could not be written; trying again');
    }
  }

  async #completeAll(now: number, waiting: ReadonlySet<string>): Promise<void> {
    for (const month of this.months) {
      if (month.toSeconds > now || month.isWhole || waiting.has(month.name)) continue;
      await this.#stored.complete(month);
    }
  }

  /** Stores what became known of the last month after its records were sealed, once. */
  async #completeRecords(now: number, waiting: ReadonlySet<string>): Promise<void> {
    const month = this.#stored.indexed(this.calendar.later(this.#present, -1));
    if (month === undefined || month.isCompleted || waiting.has(month.name)) return;
    if (now < month.toSeconds + completeSeconds) return;
    await this.#stored.completeRecords(month, (record) => this.#listed.completed(record, month));
  }

  /** Deletes the records of months beyond those that are kept. */
  async #forget(): Promise<void> {
    const oldest = this.calendar.later(this.#present, -monthsKept);
    for (const month of this.months) {
      if (month.name < oldest.name) await this.#stored.delete(month);
    }
  }
}
