import type { AccountParts } from '../feature.ts';
import type { NamedMonth } from '../lib/month-calendar.ts';
import { CorruptRowError } from '../store/format/row.ts';
import type { ItemKind, StoredMonth } from '../store/store.ts';
import { monthKind, readMonthBody } from './documents.ts';
import type { MonthRecord } from './month-record.ts';

/** Records are read and written in batches of this size. */
export const batchSize = 250;

export type MonthRowsOptions = Pick<AccountParts, 'account' | 'readMonth' | 'log'>;

/** The rows of months in the store. Methods that read reject with a `StoreError`. */
export class MonthRows {
  readonly #options: MonthRowsOptions;

  constructor(options: MonthRowsOptions) {
    this.#options = options;
  }

  async *batches(month: NamedMonth, kind: ItemKind): AsyncGenerator<readonly StoredMonth[]> {
    const read = (afterId: number) =>
      this.#options.readMonth({ kind: monthKind(month, kind), afterId, most: batchSize });
    for (let next = read(-1); ; ) {
      const batch = await next;
      const last = batch.at(-1);
      if (last === undefined) return;
      if (batch.length < batchSize) {
        yield batch;
        return;
      }
      // The store reads the next batch while this one is used.
      next = read(last.id);
      // A reader that stops early does not await it.
      next.catch(() => undefined);
      yield batch;
    }
  }

  /** For each month, the records of some items. */
  async recordsOf(
    months: readonly NamedMonth[],
    kind: ItemKind,
    ids: readonly number[],
  ): Promise<readonly (readonly MonthRecord[])[]> {
    const kinds = months.map((month) => monthKind(month, kind));
    const rows = await this.#options.readMonth({ kinds, ids });
    return months.map((month, place) =>
      rows
        .filter((row) => row.kind === kinds[place])
        .flatMap((row) => this.recordOf(month, kind, row) ?? []),
    );
  }

  /** Undefined, with a line in the log, if it cannot be read. */
  recordOf({ name }: NamedMonth, kind: ItemKind, row: StoredMonth): MonthRecord | undefined {
    const { account, log } = this.#options;
    const { id } = row;
    try {
      if ('reason' in row) throw new CorruptRowError(row.reason);
      return readMonthBody(kind, id, row.value);
    } catch (error) {
      if (!(error instanceof CorruptRowError)) throw error;
      const fields = { account, month: name, kind, id, reason: error.message };
      log.error(fields, 'record of a month unreadable; the report of that month lacks it');
      return undefined;
    }
  }
}
