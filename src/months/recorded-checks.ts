import type { TimeRange } from '../domain/interval.ts';
import type { RecordedDay } from '../http/ports.ts';
import type { Log } from '../lib/log.ts';
import type { Month } from '../lib/month-calendar.ts';
import { StoreError } from '../store/store-error.ts';
import type { AccountMonths } from './account-months.ts';
import { ReportDays } from './report-days.ts';

/** Records rarely change; after this time they are read again. */
const keptSeconds = 3_600;

interface ReadMonth {
  readonly atSeconds: number;
  readonly checks: ReadonlyMap<number, readonly RecordedDay[]>;
}

type ChecksMonths = Pick<
  AccountMonths,
  'account' | 'calendar' | 'nowSeconds' | 'known' | 'records'
>;

/** The recorded days of the checks of public pages, which ask for them every half a minute. */
export class RecordedChecks {
  readonly #months: ChecksMonths;
  readonly #log: Pick<Log, 'error'>;
  /** Every check that was ever asked for. */
  readonly #ids = new Set<number>();
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
    const months = this.#months.known.filter(
      ({ fromSeconds, toSeconds }) =>
        toSeconds > range.fromSeconds && fromSeconds < range.toSeconds,
    );
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
    const isNew = [...ids].some((id) => !this.#ids.has(id));
    for (const id of ids) this.#ids.add(id);
    const { nowSeconds } = this.#months;
    const due = months.filter(({ name }) => {
      const { atSeconds = Number.NEGATIVE_INFINITY } = this.#read.get(name) ?? {};
      return isNew || nowSeconds >= atSeconds + keptSeconds;
    });
    if (due.length === 0) return;
    this.#reading = this.#readAll(due)
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

  async #readAll(months: readonly Month[]): Promise<void> {
    const wanted = new Set(this.#ids);
    for (const month of months) {
      const days = new ReportDays(month, this.#months.calendar.dayBegins(month));
      const checks = new Map<number, readonly RecordedDay[]>();
      for await (const records of this.#months.records(month)) {
        for (const record of records) {
          if (record.kind !== 'check' || !wanted.has(record.id)) continue;
          const ofRecord = days.of(record).all();
          checks.set(
            record.id,
            ofRecord.map(({ fromSeconds, down, counted }) => ({
              fromSeconds,
              up: counted - down,
              down,
            })),
          );
        }
      }
      this.#read.set(month.name, { atSeconds: this.#months.nowSeconds, checks });
    }
  }
}
