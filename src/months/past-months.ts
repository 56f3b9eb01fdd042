import type { AccountParts, FinishedPasts, ReadPast } from '../feature.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { type Month, monthsKept } from '../lib/month-calendar.ts';
import { itemKinds } from '../store/store.ts';
import { statesRead, withPastStates } from './joined-months.ts';
import type { MonthRecord } from './month-record.ts';
import { batchSize } from './month-rows.ts';
import type { NamesOfThen } from './names-of-then.ts';
import type { StoredMonths } from './stored-months.ts';
import { keyOf, type Subject } from './subject.ts';

/** A past can have thousands of states, so other work is done after this many items. */
const itemsPerStep = 25;

type PastMonthsOptions = Pick<
  AccountParts,
  'account' | 'state' | 'policies' | 'finishedPasts' | 'log'
> & { readonly namesOfThen: NamesOfThen };

/**
 * The months of the past that an operator had read: a record for each item that has none, with what
 * is known of the item now, and in other records the time that was not watched.
 */
export class PastMonths {
  readonly #options: PastMonthsOptions;
  readonly #stored: StoredMonths;
  /** The request whose pasts are in the records. */
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

  /** Writes the ended months in the past that was read, but for those that are awaited. */
  async write(nowSeconds: number, isAwaited: (month: Month) => boolean): Promise<void> {
    const { account, log, finishedPasts } = this.#options;
    const pasts = finishedPasts();
    if (pasts === undefined) return;
    if (this.isNew) this.#done.clear();
    this.#requestedAtSeconds = pasts.requestedAtSeconds;
    let [months, records] = [0, 0];
    for (const month of this.#monthsIn(pasts, nowSeconds)) {
      const { pastRequestedAtSeconds } = this.#stored.indexed(month) ?? {};
      const isDone =
        this.#done.has(month.name) || pastRequestedAtSeconds === pasts.requestedAtSeconds;
      if (isDone || isAwaited(month)) continue;
      const written = await this.#writeMonth(month, pasts, nowSeconds);
      this.#done.add(month.name);
      records += written;
      if (written > 0) months += 1;
    }
    if (months > 0) log.info({ account, months, records }, 'months completed by a backfill');
  }

  /** The record with the time that was not watched, as far as it was read. */
  withPast(record: MonthRecord, month: Month): MonthRecord {
    if (!isIncomplete(record)) return record;
    return this.#completed(record, month, this.#options.finishedPasts()) ?? record;
  }

  /** Undefined if nothing of the time that was not watched was read. */
  #completed(
    record: MonthRecord,
    month: Month,
    pasts: FinishedPasts | undefined,
  ): MonthRecord | undefined {
    const past = pasts?.of(record.kind, record.id);
    if (pasts === undefined || past === undefined) return undefined;
    const { requestedAtSeconds } = pasts;
    return withPastStates(past, record, month, requestedAtSeconds, this.#daysOf(month));
  }

  /** Resolves with the number of records that were written. */
  async #writeMonth(month: Month, pasts: FinishedPasts, nowSeconds: number): Promise<number> {
    const known = new Map<string, MonthRecord | undefined>();
    for await (const batch of this.#stored.records(month)) {
      for (const record of batch) {
        known.set(keyOf(record), isIncomplete(record) ? record : undefined);
      }
    }
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
        const incomplete = known.get(key);
        if (known.has(key) && incomplete === undefined) continue;
        const past = pasts.of(kind, id);
        if (past === undefined) continue;
        const record = incomplete
          ? this.#completed(incomplete, month, pasts)
          : this.#recordBefore(past, { kind, id }, month, nowSeconds);
        if (record !== undefined) due.push(record);
        if (due.length >= batchSize) await store();
      }
    }
    await store();
    const indexed = this.#stored.indexed(month);
    if (indexed === undefined) return written;
    const { requestedAtSeconds: pastRequestedAtSeconds } = pasts;
    await this.#stored.markWhole({ ...indexed, pastRequestedAtSeconds });
    return written;
  }

  #daysOf(month: Month): readonly number[] {
    return this.#options.policies.calendar.dayBegins(month);
  }

  /** Undefined if nothing of the month was read. */
  #recordBefore(
    past: ReadPast,
    { kind, id }: Subject,
    month: Month,
    nowSeconds: number,
  ): MonthRecord | undefined {
    const item = this.#options.state.itemsOf(kind).get(id);
    if (item === undefined || past.toSeconds < month.toSeconds) return undefined;
    const { createdAtSeconds = 0 } = item.entry;
    const { fromSeconds, toSeconds } = month;
    if (createdAtSeconds >= toSeconds) return undefined;
    const isYoung = createdAtSeconds > fromSeconds;
    const life = { fromSeconds: Math.max(fromSeconds, createdAtSeconds), toSeconds };
    const states = statesRead(past, life, this.#daysOf(month));
    if (states === undefined) return undefined;
    return {
      ...this.#options.namesOfThen.subjectOf(kind, item, month),
      ...states,
      ...(isYoung && { createdAtSeconds }),
      readAfterwards: { share: 'whole', atSeconds: nowSeconds },
    };
  }

  /** The ended months of the last thirteen that begin in the time that was read, oldest first. */
  #monthsIn({ fromSeconds, requestedAtSeconds }: FinishedPasts, nowSeconds: number) {
    const { calendar } = this.#options.policies;
    const present = calendar.containing(nowSeconds);
    return Array.from({ length: monthsKept }, (_, place) =>
      calendar.later(present, place - monthsKept),
    ).filter((month) => month.fromSeconds >= fromSeconds && month.fromSeconds < requestedAtSeconds);
  }
}

function isIncomplete({ unwatched, firstSeenSeconds }: MonthRecord): boolean {
  return unwatched.length > 0 || firstSeenSeconds !== undefined;
}
