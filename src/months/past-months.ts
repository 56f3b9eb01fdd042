import type { AccountParts, FinishedPasts, ReadPast } from '../feature.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { ListedItem } from '../state/leaving.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import { type Month, type MonthCalendar, monthsKept } from './calendar.ts';
import type { IndexedMonth } from './documents.ts';
import { itemsOf, subjectOf } from './item-month.ts';
import type { MonthRecord } from './month-record.ts';
import { completedBy, statesBefore } from './past-month.ts';
import { batchSize, type StoredMonths } from './stored-months.ts';

/** A past can have thousands of states, so other work is done after this many items. */
const itemsPerStep = 25;

type PastMonthsOptions = Pick<
  AccountParts,
  'account' | 'state' | 'policies' | 'finishedPasts' | 'log'
>;

interface WriteOptions {
  readonly calendar: MonthCalendar;
  /** UNIX seconds. */
  readonly now: number;
  /** Months whose records are written by watching, and are not all written yet. */
  readonly awaited: readonly IndexedMonth[];
}

/**
 * The months before the items of an account were first seen, from the past that an operator had
 * read: a record for each item that has none, with what is known of the item now, and in other
 * records the time that was not watched.
 */
export class PastMonths {
  readonly #options: PastMonthsOptions;
  readonly #stored: StoredMonths;
  /** The request whose pasts are in these months. */
  #requestedAtSeconds: number | undefined;
  readonly #done = new Set<string>();

  constructor(options: PastMonthsOptions, stored: StoredMonths) {
    this.#options = options;
    this.#stored = stored;
  }

  /** Whether there are pasts that `write` has not seen. */
  get isNew(): boolean {
    const { requestedAtSeconds } = this.#options.finishedPasts() ?? {};
    return requestedAtSeconds !== undefined && requestedAtSeconds !== this.#requestedAtSeconds;
  }

  /** Writes the ended months that lie in the past that was read. Rejects with a `StoreError`. */
  async write({ calendar, now, awaited }: WriteOptions): Promise<void> {
    const { account, log, finishedPasts } = this.#options;
    const pasts = finishedPasts();
    if (pasts === undefined) return;
    if (this.isNew) this.#done.clear();
    this.#requestedAtSeconds = pasts.requestedAtSeconds;
    let [months, records] = [0, 0];
    for (const month of monthsIn(pasts, calendar, now)) {
      const indexed = this.#stored.indexed(month, calendar.zone);
      if (this.#isDone(indexed, pasts) || awaited.some(({ name }) => name === month.name)) continue;
      const written = await this.#writeMonth(indexed, pasts, now);
      this.#done.add(month.name);
      records += written;
      if (written > 0) months += 1;
    }
    if (months > 0) log.info({ account, months, records }, 'months completed by a backfill');
  }

  /** Returns a function that completes the records of a month by what was not watched. */
  completing(month: Month, now: number): (record: MonthRecord) => MonthRecord {
    const pasts = this.#options.finishedPasts();
    if (pasts === undefined) return (record) => record;
    return (record) => {
      if (record.unwatched === 0) return record;
      const past = pasts.of(record.kind, record.id);
      return (past && completedBy(past, record, month, now)) ?? record;
    };
  }

  #isDone({ name, pastRequestedAtSeconds }: IndexedMonth, { requestedAtSeconds }: FinishedPasts) {
    return this.#done.has(name) || pastRequestedAtSeconds === requestedAtSeconds;
  }

  /** Resolves with the number of records that were written. */
  async #writeMonth(month: IndexedMonth, pasts: FinishedPasts, now: number): Promise<number> {
    const { requestedAtSeconds } = pasts;
    const isIndexed = this.#stored.months.includes(month);
    const records = isIndexed ? await this.#incomplete(month) : new Map<string, undefined>();
    let [written, count] = [0, 0];
    let due: MonthRecord[] = [];
    const store = async () => {
      await this.#stored.store(month, due);
      written += due.length;
      due = [];
    };
    for (const kind of itemKinds) {
      for (const id of pasts.ids(kind)) {
        if (count++ % itemsPerStep === itemsPerStep - 1) await yieldToEventLoop();
        const key = keyOf({ kind, id });
        const known = records.get(key);
        if (known === undefined && records.has(key)) continue;
        const past = pasts.of(kind, id);
        const item = itemsOf(this.#options.state, kind).get(id);
        if (past === undefined || item === undefined) continue;
        const record = known
          ? completedBy(past, known, month, now)
          : this.#recordBefore(past, { kind, item, month, now });
        if (record !== undefined) due.push(record);
        if (due.length >= batchSize) await store();
      }
    }
    await store();
    if (isIndexed || written > 0) {
      await this.#stored.complete({ ...month, pastRequestedAtSeconds: requestedAtSeconds });
    }
    return written;
  }

  #recordBefore(
    past: ReadPast,
    { kind, item, month, now }: { kind: ItemKind; item: ListedItem; month: Month; now: number },
  ): MonthRecord | undefined {
    const states = statesBefore(past, kind, month, item.entry.createdAtSeconds);
    if (states === undefined) return undefined;
    const readAfterwards = { share: 'whole', atSeconds: now } as const;
    return { ...subjectOf(kind, item, this.#options), ...states, readAfterwards };
  }

  /** The records that lack time; undefined for those that do not, or that are of removed items. */
  async #incomplete(month: IndexedMonth): Promise<Map<string, MonthRecord | undefined>> {
    const records = new Map<string, MonthRecord | undefined>();
    for await (const batch of this.#stored.records(month)) {
      for (const record of batch) {
        const isIncomplete = record.unwatched > 0 && record.removedAtSeconds === undefined;
        records.set(keyOf(record), isIncomplete ? record : undefined);
      }
    }
    return records;
  }
}

/** The ended months of the last thirteen that begin in the time that was read, oldest first. */
function monthsIn(
  { fromSeconds, requestedAtSeconds }: FinishedPasts,
  calendar: MonthCalendar,
  now: number,
): readonly Month[] {
  const present = calendar.containing(now);
  return Array.from({ length: monthsKept }, (_, place) =>
    calendar.later(present, place - monthsKept),
  ).filter((month) => month.fromSeconds >= fromSeconds && month.fromSeconds < requestedAtSeconds);
}

function keyOf({ kind, id }: Pick<MonthRecord, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}
