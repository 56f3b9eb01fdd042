import { DamagedError, undamaged } from './damaged-error.ts';
import { formatVersion } from './item-codec.ts';
import { type KeptAccount, keptAccount, type NamedRecord } from './kept-account.ts';
import type { RecordKey, Records } from './lmdb-store.ts';
import type { Json } from './store.ts';

/** Where the format's version stands; no account has an empty name. */
const versionKey: RecordKey = ['', 'format', 'version'];

/** A record as lmdb has it. */
export interface RawRecord {
  readonly key: RecordKey;
  readonly value: string;
}

/** Every record, in order. Throws a `DamagedError` when lmdb cannot read one. */
export function readRecords(records: Records): readonly RawRecord[] {
  const { entryCount } = records.getStats() as { readonly entryCount: number };
  const found = undamaged(() => [...records.getRange()]);
  if (found.length !== entryCount) {
    throw new DamagedError(`it has ${found.length} of its ${entryCount} records left`);
  }
  return found;
}

export function beginFormat(records: Records): void {
  records.putSync(versionKey, JSON.stringify(formatVersion));
}

/** Understands every record, so that damage shows before anything is served; throws a `DamagedError` for it. */
export function accountsIn(found: readonly RawRecord[]): ReadonlyMap<string, KeptAccount> {
  return undamaged(() => {
    const version = found.find(({ key }) => key[0] === versionKey[0])?.value;
    if (version !== JSON.stringify(formatVersion)) {
      throw new DamagedError(`its format is ${version}, and this program reads ${formatVersion}`);
    }
    const recordsOf = new Map<string, NamedRecord[]>();
    for (const { key, value } of found) {
      const [account, holds, id] = key;
      const named = recordsOf.get(account) ?? [];
      recordsOf.set(account, named);
      named.push([holds, id, JSON.parse(value) as Json]);
    }
    return new Map([...recordsOf].map(([account, named]) => [account, keptAccount(named)]));
  });
}
