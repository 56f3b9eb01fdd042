import { AccountRows } from '../../../src/store/format/account-rows.ts';
import { crcOfText, type StoredRow, tables } from '../../../src/store/format/row.ts';
import type { StoredAccount } from '../../../src/store/store.ts';
import type { PostgresPair } from './postgres-pair.ts';

/** The stored items of an account. They are read directly from the database, without a lease. */
export async function storedItems(
  pair: PostgresPair,
  account: string,
): Promise<StoredAccount['items']> {
  const stored: StoredRow[] = [];
  for (const table of tables) {
    const rows = await pair.query(
      `SELECT * FROM uptime_exporter.${table} WHERE account = '${account}'`,
    );
    for (const { kind, id, part, body, crc } of rows) {
      const key = { table, kind: String(kind), id: Number(id ?? part) };
      stored.push({ ...key, body: Buffer.from(String(body)), crc: crcOfText(String(crc)) });
    }
  }
  const reading = new AccountRows(account).read(stored);
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value.items;
  }
}
