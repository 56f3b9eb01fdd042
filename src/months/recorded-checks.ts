import { overlaps, type TimeRange } from '../domain/interval.ts';
import type { RecordedDay } from '../http/ports.ts';
import type { Log } from '../lib/log.ts';
import type { Month } from '../lib/month-calendar.ts';
import { StoreError } from '../store/store-error.ts';
import type { AccountMonths } from './account-months.ts';
import { type LineDays, ReportDays } from './report-days.ts';

/** Records rarely change; after this time they are read again. */
const keptSeconds = 3_600;

interface ReadMonth {
  readonly atSeconds: number;
  /** Every check that was ever asked for. */
  readonly checks: ReadonlyMap<number, readonly RecordedDay[]>;
}

type ChecksMonths = Pick<
  AccountMonths,
  'account' | 'calendar' | 'nowSeconds' | 'known' | 'recordsOf'
>;

/** The recorded days of the checks of public pages, which ask for them every half a minute. */
export class RecordedChecks {
  readonly #months: ChecksMonths;
  readonly #log: Pick<Log, 'error'>;
  readonly #read = new Map<string, ReadMonth>();
  #reading: Promise<void> | undefined;

  constructor(months: ChecksMonths, log: Pick<Log, 'error'>) {
    this.#months = months;
    this.#log = log;
  }

  /** The days of each check in the months that overlap a range. What was read before is read again meanwhile. */
  async of(
    ids: ReadonlySet<number>,
    range: TimeRange,
  ): Promise<ReadonlyMap<number, readonly RecordedDay[]>> {
    const months = this.#months.known.filter((month) => overlaps(month, range));
    this.#refresh(ids, months);
    if (months.some(({ name }) => !this.#read.has(name))) await this.#reading;
    return new Map(
      [...ids].map((id) => [
        id,
        months.flatMap(({ name }) => this.#read.get(name)?.checks.get(id) ?? []),
      ]),
    );
  }

  #refresh(ids: ReadonlySet<number>, months: readonly Month[]): void {
    if (this.#reading !== undefined) return;
    const { nowSeconds } = this.#months;
    const due = months.filter(({ name }) => {
      const read = this.#read.get(name);
      if (read === undefined || nowSeconds >= read.atSeconds + keptSeconds) return true;
      return [...ids].some((id) => !read.checks.has(id));
    });
    if (due.length === 0) return;
    this.#reading = this.#readAll(due, ids)
      .catch((error: unknown) => {
        // The store reports its own failures.
        if (error instanceof StoreError) return;
        const { account } = this.#months;
        this.#log.error({ account, error }, 'months of a public page could not be read');
      })
      .finally(() => {
        this.#reading = undefined;
      });
  }

  async #readAll(months: readonly Month[], ids: ReadonlySet<number>): Promise<void> {
    for (const month of months) {
      const days = new ReportDays(month, this.#months.calendar.dayBegins(month));
      const before = this.#read.get(month.name)?.checks.keys() ?? [];
      const all = [...new Set([...before, ...ids])];
      const checks = new Map(all.map((id): [number, readonly RecordedDay[]] => [id, []]));
      const [records = []] = await this.#months.recordsOf([month], 'check', all);
      for (const record of records) {
        checks.set(record.id, recordedDays(days.of(record)));
      }
      this.#read.set(month.name, { atSeconds: this.#months.nowSeconds, checks });
    }
  }
}

function recordedDays(days: LineDays): readonly RecordedDay[] {
  return days.all().map(({ fromSeconds, down, counted }) => ({
    fromSeconds,
    up: counted - down,
    down,
  }));
}
