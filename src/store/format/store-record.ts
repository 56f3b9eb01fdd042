import { orUndefined } from '../../lib/or-undefined.ts';
import { amount, flag, listOf, optional, struct, text } from './readers.ts';
import { type RowKey, type RowWrite, readBody, rowOfText, type StoredRow } from './row.ts';

/** No account can have this name: configured names have no control characters. */
export const storeAccount = '\u0001store';
export const storeKey: RowKey = { table: 'row', kind: 'store', id: 0 };

/** A record that grows needs a new page when its page is full, which a full disk may not have. */
const recordLength = 256;

/** The identity and the state of a database. Each commit replaces this row. */
export interface StoreRecord {
  /** A random id. A restored store gets a new one, because its totals restart at 0. */
  readonly id: string;
  /** Counts the commits. */
  readonly serial: number;
  /** The version of all rows. */
  readonly version: number;
  /** True in a backup, whose data are older than those of the store it was copied from. */
  readonly isCopy?: boolean;
  /** Accounts whose totals may be lower than values already shown. They restart at 0. */
  readonly past?: readonly string[];
}

/** A schema would add its library to the thread of the database: 1.3 MB, at which every start waits. */
const readRecord = struct<StoreRecord>({
  id: text,
  serial: amount,
  version: amount,
  isCopy: optional(flag),
  past: optional(listOf(text)),
});

export function storeRow(record: StoreRecord): RowWrite {
  return rowOfText(storeAccount, storeKey, JSON.stringify(record).padEnd(recordLength));
}

/** Undefined when it is absent or corrupt. */
export function readStoreRow(row: StoredRow | undefined): StoreRecord | undefined {
  return row && orUndefined(() => readRecord(readBody(storeAccount, row)));
}
