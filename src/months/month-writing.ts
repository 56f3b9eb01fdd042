import type { AccountParts } from '../feature.ts';
import { unixSeconds } from '../lib/clock.ts';
import { type Month, type MonthCalendar, monthsKept } from '../lib/month-calendar.ts';
import { itemKinds } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import type { ListedMonths } from './listed-months.ts';
import type { NamesOfThen } from './names-of-then.ts';
import type { PastMonths } from './past-months.ts';
import { Sealing } from './sealing.ts';
import type { StoredMonths } from './stored-months.ts';

/**
 * After the end of a month its last response times, which reports have for a week, and causes of its
 * outages are read. In seconds.
 */
export const completeSeconds = 8 * 86_400;
/** While items wait, they are examined again after this time, in milliseconds. */
const retryAfter = 60_000;

type MonthWritingOptions = Pick<
  AccountParts,
  'account' | 'state' | 'serviceClock' | 'policies' | 'log'
>;

interface WrittenMonths {
  readonly stored: StoredMonths;
  readonly listed: ListedMonths;
  readonly past: PastMonths;
  readonly names: NamesOfThen;
}

/** Writes the records of months when they are due, completes them once, and deletes the oldest. */
export class MonthWriting {
  readonly #options: MonthWritingOptions;
  readonly #months: WrittenMonths;
  readonly #sealing: Sealing;
  /**
   * When items are examined again, in monotonic milliseconds: the time of the service is not known
   * before the first response.
   */
  #dueAt = Number.POSITIVE_INFINITY;
  #writing: Promise<void> | undefined;

  constructor(options: MonthWritingOptions, months: WrittenMonths) {
    this.#options = options;
    this.#months = months;
    this.#sealing = new Sealing(options.state, months.stored, months.listed);
  }

  /** Items are examined in this time at the latest. */
  examineIn(milliseconds: number): void {
    const at = this.#options.serviceClock.monotonic() + milliseconds;
    this.#dueAt = Math.min(this.#dueAt, at);
  }

  /** Writes the records that are due, if there are any, without waiting for it. */
  writeDue(): void {
    const { serviceClock } = this.#options;
    const isDue = serviceClock.monotonic() >= this.#dueAt || this.#months.past.isNew;
    if (this.#writing !== undefined || !isDue) return;
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when no record is being written. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  get #calendar(): MonthCalendar {
    return this.#options.policies.calendar;
  }

  get #nowSeconds(): number {
    return unixSeconds(this.#options.serviceClock);
  }

  get #present(): Month {
    return this.#calendar.containing(this.#nowSeconds);
  }

  async #write(): Promise<void> {
    const { account, log } = this.#options;
    const { past, names } = this.#months;
    try {
      const now = this.#nowSeconds;
      this.#dueAt = Number.POSITIVE_INFINITY;
      const { fromSeconds } = this.#present;
      const waiting = await this.#sealing.sealAll(fromSeconds);
      await this.#markWhole(now, waiting);
      await past.write(now, (month) => waiting.has(month.name));
      await this.#completeRecords(now, waiting);
      await this.#forget();
      if (waiting.size === 0) names.forget(fromSeconds);
      // Months that end meanwhile, and items that arrive, call `examineIn`.
      const completeAt = this.#present.fromSeconds + completeSeconds;
      if (waiting.size > 0) this.examineIn(retryAfter);
      else if (now < completeAt) this.examineIn(1000 * (completeAt - now));
    } catch (error) {
      this.examineIn(retryAfter);
      // The store reports its own failures.
      if (error instanceof StoreError) return;
      log.error({ account, error }, 'months could not be written; trying again');
    }
  }

  async #markWhole(now: number, waiting: ReadonlySet<string>): Promise<void> {
    for (const month of this.#months.stored.months) {
      if (month.toSeconds > now || month.isWhole || waiting.has(month.name)) continue;
      await this.#months.stored.markWhole(month);
    }
  }

  /** Stores what became known of the last month after its records were sealed, once. */
  async #completeRecords(now: number, waiting: ReadonlySet<string>): Promise<void> {
    const month = this.#months.stored.indexed(this.#calendar.later(this.#present, -1));
    if (month === undefined || month.isCompleted || waiting.has(month.name)) return;
    if (now < month.toSeconds + completeSeconds) return;
    await this.#months.stored.completeRecords(month, (record) =>
      this.#months.listed.withLaterFacts(record, month),
    );
  }

  /**
   * Deletes the records of months beyond those that are kept, and months that only a mistaken clock
   * of the service began. What is known of the items shows how late it is at least.
   */
  async #forget(): Promise<void> {
    const [calendar, now] = [this.#calendar, this.#nowSeconds];
    const known = this.#newestHorizon() ?? now;
    const oldest = calendar.later(calendar.containing(Math.min(now, known)), -monthsKept);
    const newest = calendar.containing(Math.max(now, known));
    for (const month of this.#months.stored.months) {
      const isKept = month.name >= oldest.name && month.name <= newest.name;
      if (!isKept) await this.#months.stored.delete(month);
    }
  }

  /** In UNIX seconds; undefined without items. */
  #newestHorizon(): number | undefined {
    let newest: number | undefined;
    for (const kind of itemKinds) {
      for (const { totals } of this.#options.state.itemsOf(kind).records()) {
        newest = Math.max(newest ?? 0, totals.states.horizonSeconds);
      }
    }
    return newest;
  }
}
