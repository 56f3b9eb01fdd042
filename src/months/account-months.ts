import type { AccountParts } from '../feature.ts';
import { unixSeconds } from '../lib/clock.ts';
import { type Month, type MonthCalendar, monthsKept } from '../lib/month-calendar.ts';
import { recordedFromSeconds } from '../slo/known-range.ts';
import type { Leaving } from '../state/items/removed-items.ts';
import type { ListedItem } from '../state/leaving.ts';
import type { DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import type { DaysNotRead, IndexedMonth } from './documents.ts';
import { KnownRecords } from './known-records.ts';
import { isSealed, ListedMonths } from './listed-months.ts';
import type { MonthRecord } from './month-record.ts';
import { MonthWriting } from './month-writing.ts';
import { NamesOfThen, namesDocument } from './names-of-then.ts';
import { PastMonths } from './past-months.ts';
import { ResponseDays } from './response-days.ts';
import { StoredMonths } from './stored-months.ts';
import type { Subject } from './subject.ts';

/** Months are sealed this time after the first list, which costs enough. In milliseconds. */
const settleTime = 300_000;

/** Whether a month has ended and has all its records, lacks some, or goes on. */
export type MonthPhase = 'whole' | 'partial' | 'present';

/** The months of an account. */
export class AccountMonths {
  readonly #parts: AccountParts;
  readonly #stored: StoredMonths;
  readonly #names: NamesOfThen;
  readonly #listed: ListedMonths;
  readonly #writing: MonthWriting;
  readonly #records: KnownRecords;
  /** Response times that are read by day. */
  readonly responseDays: ResponseDays;
  /** The month that went on at the last refresh. */
  #lastPresent: string | undefined;

  constructor(parts: AccountParts) {
    this.#parts = parts;
    this.#names = new NamesOfThen(parts);
    const named = { ...parts, namesOfThen: this.#names };
    const stored = new StoredMonths(parts);
    const past = new PastMonths(named, stored);
    const listed = new ListedMonths(named, stored, past);
    this.#stored = stored;
    this.#listed = listed;
    this.#writing = new MonthWriting(parts, { stored, listed, past, names: this.#names });
    this.#records = new KnownRecords(parts.state, stored, listed);
    this.responseDays = new ResponseDays(parts, stored, listed);
    this.#writing.examineIn(settleTime);
  }

  get account(): string {
    return this.#parts.account;
  }

  get calendar(): MonthCalendar {
    return this.#parts.policies.calendar;
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
      for (const { entry, totals } of this.#parts.state.itemsOf(kind).records()) {
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
    return unixSeconds(this.#parts.serviceClock);
  }

  /** Why response times are not read by day of checks whose hours were read too rarely. */
  daysNotRead(month: Month): DaysNotRead | undefined {
    return this.responseDays.notRead(month);
  }

  /** Whether the item exists now. */
  lists({ kind, id }: Subject): boolean {
    return this.#parts.state.itemsOf(kind).has(id);
  }

  /** Whether the check is in the group now. */
  isIn(group: string, { kind, id }: Subject): boolean {
    const { state, policies } = this.#parts;
    const entry = kind === 'check' ? state.checks.get(id)?.entry : undefined;
    return entry !== undefined && policies.slo.groups.of(entry).includes(group);
  }

  /** Continues from the stored documents. */
  restore(documents: DocumentSet): void {
    const { account, log } = this.#parts;
    if (!this.#stored.restore(documents)) {
      log.error({ account }, 'index of months unreadable; months are written from now on');
    }
    if (!this.#names.restore(documents.get(namesDocument))) {
      log.error({ account }, 'names at the end of a month unreadable; the present ones are used');
    }
  }

  /** A list has changed the names or tags of these items. */
  relabelled(kind: ItemKind, before: readonly ListedItem['entry'][]): void {
    const waiting = before.filter(({ id }) => {
      const { totals } = this.#parts.state.itemsOf(kind).get(id) ?? {};
      return (totals?.sealedUntilSeconds ?? 0) < this.#present.fromSeconds;
    });
    if (waiting.length > 0) this.#names.relabelled(kind, waiting);
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
    this.#writing.examineIn(settleTime);
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
    const present = this.#stored.begun(this.#present);
    const hasEnded = this.#lastPresent !== undefined && this.#lastPresent !== present.name;
    this.#lastPresent = present.name;
    if (hasEnded) this.#writing.examineIn(0);
    this.#writing.writeDue();
  }

  /** Resolves when no record is being written. */
  async idle(): Promise<void> {
    await this.#writing.idle();
  }

  /** Whether the month goes on, or has all its records. */
  phaseOf(month: Month): MonthPhase {
    if (month.toSeconds > this.nowSeconds) return 'present';
    const isWhole = this.#stored.indexed(month)?.isWhole === true && !this.#awaitsReturned(month);
    return isWhole ? 'whole' : 'partial';
  }

  /** Whether an item has returned whose month is to be sealed again. */
  #awaitsReturned(month: Month): boolean {
    return this.#stored.removed.some(({ kind, id }) => {
      const item = this.#parts.state.itemsOf(kind).get(id);
      if (item === undefined || isSealed(item, month)) return false;
      return this.#listed.unsealed(kind, item).some(({ name }) => name === month.name);
    });
  }

  /** The share of the time of all items in a month that is known, of an ended month. */
  knownShare(month: Month): number {
    const { isWhole, knownShare } = this.#stored.indexed(month) ?? {};
    if (isWhole && knownShare !== undefined) return knownShare;
    let [known, possible] = [0, 0];
    for (const kind of itemKinds) {
      for (const { entry, totals } of this.#parts.state.itemsOf(kind).records()) {
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
   * For each month, the records of some items, of those that have one. Yields to the event loop.
   * Rejects with a `StoreError`.
   */
  recordsOf(
    months: readonly Month[],
    kind: ItemKind,
    ids: readonly number[],
  ): Promise<readonly (readonly MonthRecord[])[]> {
    return this.#records.of(months, kind, ids);
  }

  /**
   * The records of months, in batches of items of one kind: for each month, those that these items
   * have. Yields to the event loop. Rejects with a `StoreError`.
   */
  records(months: readonly Month[]): AsyncGenerator<readonly (readonly MonthRecord[])[]> {
    return this.#records.all(months);
  }

  get #present(): Month {
    return this.calendar.containing(this.nowSeconds);
  }
}
