import { z } from 'zod';
import { orUndefined } from '../../lib/or-undefined.ts';
import { type RowKey, type RowWrite, readBody, rowOfText, type StoredRow } from './row.ts';

/** No account can have this name: configured names have no control characters. */
export const storeAccount = '\u0001store';
export const storeKey: RowKey = { table: 'row', kind: 'store', id: 0 };

/** A record that grows needs a new page when its page is full, which a full disk may not have. */
const recordLength = 256;

const schema = z.object({
  /** A random id. A restored store gets a new one, because its totals restart at 0. */
  id: z.string(),
  /** Counts the commits. */
  serial: z.number().int().nonnegative(),
  /** The version of all rows. */
  version: z.number(),
  /** True in a backup, whose data are older than those of the store it was copied from. */
  isCopy: z.boolean().exactOptional(),
  /** Accounts whose totals may be lower than values already shown. They restart at 0. */
  past: z.array(z.string()).exactOptional(),
});

/** The identity and the state of a database. Each commit replaces this row. */
export type StoreRecord = Readonly<z.infer<typeof schema>>;

export function storeRow(record: StoreRecord): RowWrite {
  return rowOfText(storeAccount, storeKey, JSON.stringify(record).padEnd(recordLength));
}

/** Undefined when it is absent or corrupt. */
export function readStoreRow(row: StoredRow | undefined): StoreRecord | undefined {
  return row && orUndefined(() => schema.parse(readBody(storeAccount, row)));
}
