import { AccountRecords } from '../../../src/store/format/account-records.ts';
import { formatVersion } from '../../../src/store/format/record.ts';
import type { StoredAccount } from '../../../src/store/store.ts';
import type { PostgresPair } from './postgres-pair.ts';

/** The stored items of an account. They are read directly from the database, without a lease. */
export async function storedItems(
  pair: PostgresPair,
  account: string,
): Promise<StoredAccount['items']> {
  const rows = await pair.query(
    `SELECT kind, name, bytes FROM uptime_exporter.records WHERE account = '${account}'`,
  );
  const records = rows.map(({ kind, name, bytes }) => ({
    kind: String(kind),
    name: String(name),
    bytes: bytes instanceof Uint8Array ? bytes : new Uint8Array(),
  }));
  const reading = new AccountRecords(account, formatVersion).read(records);
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value.items;
  }
}
