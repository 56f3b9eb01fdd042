import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Month, NamedMonth } from '../lib/month-calendar.ts';
import { present } from '../lib/present.ts';
import type { AccountState } from '../state/account-state.ts';
import type { CheckTotals, StateTotals } from '../state/items/totals.ts';
import type { ListedItem } from '../state/leaving.ts';
import { type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import { monthKind } from './documents.ts';
import { withEnd } from './joined-months.ts';
import { isSealed, type ListedMonths } from './listed-months.ts';
import { isFinal, type MonthOutage, type MonthRecord } from './month-record.ts';
import type { RemovedItem, StoredMonths } from './stored-months.ts';
import { keyOf, type Subject } from './subject.ts';

interface Sealed {
  readonly month: Month;
  readonly record: MonthRecord;
}

/** Items are examined in steps of this size, and other work is done in between. */
const itemsPerStep = 250;

/**
 * Seals the months of items: when a horizon has passed the end of a month and nothing in it is
 * awaited, its record is stored, in one commit with the time until which the item is sealed. The log
 * of an item is not cut before that.
 */
export class Sealing {
  readonly #state: AccountState;
  readonly #stored: StoredMonths;
  readonly #listed: ListedMonths;

  constructor(state: AccountState, stored: StoredMonths, listed: ListedMonths) {
    this.#state = state;
    this.#stored = stored;
    this.#listed = listed;
  }

  /**
   * All months that end by `untilSeconds` (UNIX) have ended. Resolves with the names of the months
   * that wait for an item.
   */
  async sealAll(untilSeconds: number): Promise<ReadonlySet<string>> {
    const waiting = new Set<string>();
    for (const kind of itemKinds) {
      let due: Subject[] = [];
      let count = 0;
      for (const item of [...this.#state.itemsOf(kind).records()]) {
        if (count++ % itemsPerStep === itemsPerStep - 1) await yieldToEventLoop();
        if (isSealed(item, { toSeconds: untilSeconds })) continue;
        const months = this.#listed.unsealed(kind, item);
        if (months[0] !== undefined && !this.#listed.isKnown(kind, item, months[0])) {
          for (const { name } of months) waiting.add(name);
          continue;
        }
        due.push({ kind, id: item.entry.id });
        if (due.length < itemsPerStep) continue;
        await this.#seal(due, untilSeconds, waiting);
        due = [];
      }
      if (due.length > 0) await this.#seal(due, untilSeconds, waiting);
    }
    return waiting;
  }

  async #seal(
    items: readonly Subject[],
    untilSeconds: number,
    waiting: Set<string>,
  ): Promise<void> {
    const [state, stored] = [this.#state, this.#stored];
    const former = await this.#formerRecords(items);
    const returned = new Set<RemovedItem>();
    const ended: Sealed[] = [];
    const sealed = new Set<string>();
    let isStored = () => {};
    await state.totals.commit(async () => {
      const documents: DocumentChanges = new DocumentSet();
      const checks = new Map<number, CheckTotals>();
      const transactions = new Map<number, StateTotals>();
      for (const { kind, id } of items) {
        const item = state.itemsOf(kind).get(id);
        if (item === undefined) continue;
        const { sealedUntilSeconds, records } = this.#sealed(
          kind,
          item,
          untilSeconds,
          former,
          waiting,
        );
        for (const { month, record } of records) {
          documents.add(stored.documentsOf(month, [record]));
          sealed.add(month.name);
          if (endedIn(month, record) !== undefined) ended.push({ month, record });
        }
        if (sealedUntilSeconds === item.totals.sealedUntilSeconds) continue;
        const left = stored.leftOf({ kind, id });
        if (left !== undefined && left.atSeconds < (sealedUntilSeconds ?? 0)) returned.add(left);
        const totals = { ...item.totals, ...present({ sealedUntilSeconds }) };
        if (isOfCheck(totals)) checks.set(id, totals);
        else transactions.set(id, totals);
      }
      for (const { month, record } of ended) await this.#addEnd(month, record, documents);
      stored.reopen(sealed);
      isStored = stored.addIndex(documents);
      return { checks, transactions, documents };
    });
    isStored();
    stored.noteSealedAgain(returned);
  }

  /** An outage has ended that began in an earlier month: records of before that lack its end get it. */
  async #addEnd(
    month: Month,
    { kind, id, outages: [outage] }: MonthRecord,
    documents: DocumentChanges,
  ): Promise<void> {
    const stored = this.#stored;
    for (const earlier of stored.months) {
      if (outage === undefined || earlier.toSeconds > month.fromSeconds) return;
      if (earlier.toSeconds <= outage.fromSeconds) continue;
      if (documents.get(monthKind(earlier, kind), id) !== undefined) continue;
      const record = await stored.record(earlier, { kind, id });
      if (record === undefined) continue;
      const completed = withEnd(record, outage);
      if (completed !== record) documents.add(stored.documentsOf(earlier, [completed]));
    }
  }

  #sealed(
    kind: ItemKind,
    item: ListedItem,
    untilSeconds: number,
    former: ReadonlyMap<string, MonthRecord>,
    waiting: Set<string>,
  ) {
    const { id } = item.entry;
    const records: Sealed[] = [];
    let { sealedUntilSeconds } = item.totals;
    let isWaiting = false;
    for (const month of this.#listed.unsealed(kind, item)) {
      isWaiting ||= !this.#listed.isKnown(kind, item, month);
      if (isWaiting) {
        waiting.add(month.name);
        continue;
      }
      sealedUntilSeconds = month.toSeconds;
      const known = former.get(recordKey(month, { kind, id }));
      const record = isFinal(known) ? undefined : this.#listed.recordOf(kind, item, month, known);
      if (record !== undefined) records.push({ month, record });
    }
    // What is not known of earlier months will not be known.
    if (!isWaiting) sealedUntilSeconds = untilSeconds;
    return { sealedUntilSeconds, records };
  }

  /** Records that items may have written before they left, or before they were lost. */
  async #formerRecords(items: readonly Subject[]): Promise<ReadonlyMap<string, MonthRecord>> {
    const [state, stored] = [this.#state, this.#stored];
    const former = new Map<string, MonthRecord>();
    for (const subject of items) {
      if (stored.leftOf(subject) === undefined) continue;
      const item = state.itemsOf(subject.kind).get(subject.id);
      if (item === undefined) continue;
      for (const month of this.#listed.unsealed(subject.kind, item)) {
        if (stored.indexed(month) === undefined) continue;
        const record = await stored.record(month, subject);
        if (record !== undefined) former.set(recordKey(month, subject), record);
      }
    }
    return former;
  }
}

/** The outage of the record that began in an earlier month, if it has ended. */
function endedIn(
  { fromSeconds }: Month,
  { outages: [first] }: MonthRecord,
): MonthOutage | undefined {
  const isOlder = first !== undefined && first.fromSeconds < fromSeconds;
  return isOlder && first.toSeconds !== undefined ? first : undefined;
}

function isOfCheck(totals: StateTotals): totals is CheckTotals {
  return 'results' in totals;
}

function recordKey({ name }: NamedMonth, subject: Subject): string {
  return `${name} ${keyOf(subject)}`;
}
