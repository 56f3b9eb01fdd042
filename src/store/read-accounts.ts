import { DamagedError, undamaged } from './damaged-error.ts';
import { formatVersion } from './item-codec.ts';
import { type KeptAccount, keptAccount, type NamedRecord } from './kept-account.ts';
import type { RecordKey, Records } from './lmdb-store.ts';
import type { Json } from './store.ts';

/** Where the format's version stands; no account has an empty name. */
const versionKey: RecordKey = ['', 'format', 'version'];

/** Has lmdb read every record, and throws a `DamagedError` when it cannot. */
export function touchRecords(records: Records): void {
  const expected = entryCount(records);
  let found = 0;
  undamaged(() => {
    for (const { value } of records.getRange()) if (value !== undefined) found += 1;
  });
  if (found !== expected) {
    throw new DamagedError(`it has ${found} of its ${expected} records left`);
  }
}

/** Understands every record, so that damage shows before anything is served; throws a `DamagedError` for it. */
export function readAccounts(records: Records): ReadonlyMap<string, KeptAccount> {
  if (entryCount(records) === 0) {
    records.putSync(versionKey, JSON.stringify(formatVersion));
    return new Map();
  }
  return undamaged(() => {
    const version = records.get(versionKey);
    if (version !== JSON.stringify(formatVersion)) {
      throw new DamagedError(`its format is ${version}, and this program reads ${formatVersion}`);
    }
    const recordsOf = new Map<string, NamedRecord[]>();
    for (const { key, value } of records.getRange()) {
      const [account, holds, id] = key;
      const named = recordsOf.get(account) ?? [];
      recordsOf.set(account, named);
      named.push([holds, id, JSON.parse(value) as Json]);
    }
    return new Map([...recordsOf].map(([account, named]) => [account, keptAccount(named)]));
  });
}

function entryCount(records: Records): number {
  return (records.getStats() as { readonly entryCount: number }).entryCount;
}
