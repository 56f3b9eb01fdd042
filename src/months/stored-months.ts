import type { AccountParts } from '../feature.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { CorruptRowError } from '../store/format/row.ts';
import { type ItemKind, itemKinds, type StoredMonth } from '../store/store.ts';
import type { Month } from './calendar.ts';
import { monthKind, readMonthBody } from './documents.ts';
import type { MonthRecord } from './month-record.ts';

/** Records are read in batches of this size. */
const batchSize = 250;

/** Reads the records of an account's months from the store, which rejects with a `StoreError`. */
export class StoredMonths {
  readonly #options: Pick<AccountParts, 'account' | 'readMonth' | 'log'>;

  constructor(options: Pick<AccountParts, 'account' | 'readMonth' | 'log'>) {
    this.#options = options;
  }

  /** The records of a month. Yields to the event loop. */
  async *records(month: Pick<Month, 'name'>): AsyncGenerator<readonly MonthRecord[]> {
    for (const kind of itemKinds) {
      for await (const batch of this.batches(month, kind)) {
        yield batch.flatMap((stored) => this.#read(month, kind, stored) ?? []);
        await yieldToEventLoop();
      }
    }
  }

  /** The rows of a month. */
  async *batches(
    month: Pick<Month, 'name'>,
    kind: ItemKind,
  ): AsyncGenerator<readonly StoredMonth[]> {
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

  /** Undefined, with a line in the log, if it cannot be read. */
  #read(
    { name }: Pick<Month, 'name'>,
    kind: ItemKind,
    stored: StoredMonth,
  ): MonthRecord | undefined {
    const { account, log } = this.#options;
    const { id } = stored;
    try {
      if ('reason' in stored) throw new CorruptRowError(stored.reason);
      return readMonthBody(kind, id, stored.value);
    } catch (error) {
      if (!(error instanceof CorruptRowError)) throw error;
      const fields = { account, month: name, kind, id, reason: error.message };
      log.error(fields, 'record of a month unreadable; the report of that month lacks it');
      return undefined;
    }
  }
}
