import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'lmdb';
import { makeReadable } from './data-file.ts';
import { formatVersion } from './item-codec.ts';
import { type KeptAccount, keptAccount, type NamedRecord } from './kept-account.ts';
import { LmdbStore, type LmdbStoreOptions, type RecordKey, type Records } from './lmdb-store.ts';
import { OpeningMark } from './opening-mark.ts';
import { PathLock } from './path-lock.ts';
import type { Json } from './store.ts';
import { StoreError } from './store-error.ts';

export interface OpenLmdbStoreOptions {
  /** A folder, made when it is missing. */
  readonly path: string;
  /** Ends the name that a damaged store is given, such as the time: unique per start. */
  readonly asideSuffix: string;
}

export interface MovedAside {
  /** What is wrong with it, for a person. */
  readonly reason: string;
  readonly path: string;
}

export interface OpenedStore {
  readonly store: LmdbStore;
  /** Present when what was there could not be used, and the store is a new, empty one. Say it loudly: counters start at 0. */
  readonly movedAside?: MovedAside;
}

/** Where the format's version stands; no account has an empty name. */
const versionKey: RecordKey = ['', 'format', 'version'];

type SoundRecords = Pick<LmdbStoreOptions, 'records' | 'accounts'>;

class DamagedError extends Error {}

/** Rejects with a `StoreError`: `locked`, or `unwritable`. */
export async function openLmdbStore({
  path,
  asideSuffix,
}: OpenLmdbStoreOptions): Promise<OpenedStore> {
  await attempt(path, () => mkdir(path, { recursive: true }));
  const lock = await PathLock.take(join(path, 'lock'));
  try {
    const { sound, movedAside } = await attempt(path, () => openRecords(path, asideSuffix));
    const store = new LmdbStore({ ...sound, path, release: () => lock.release() });
    return movedAside === undefined ? { store } : { store, movedAside };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openRecords(path: string, asideSuffix: string) {
  const folder = join(path, 'data');
  const mark = new OpeningMark(join(path, 'opening'));
  let movedAside: MovedAside | undefined;
  let sound: SoundRecords;
  try {
    if (!(await mark.begin())) throw new DamagedError('the process died when it opened it, twice');
    sound = await openSound(folder);
  } catch (error) {
    if (!(error instanceof DamagedError)) {
      await mark.end();
      throw error;
    }
    movedAside = { reason: error.message, path: `${folder}.damaged-${asideSuffix}` };
    await rename(folder, movedAside.path);
    sound = await openSound(folder);
  }
  await mark.end();
  return { sound, movedAside };
}

/** Rejects with a `DamagedError` when anything in it cannot be read. */
async function openSound(folder: string): Promise<SoundRecords> {
  await mkdir(folder, { recursive: true });
  const damage = await makeReadable(join(folder, 'data.mdb'));
  if (damage !== undefined) throw new DamagedError(damage);
  const records = openFolder(folder);
  try {
    return { records, accounts: readAccounts(records) };
  } catch (error) {
    await records.close();
    throw error;
  }
}

function openFolder(folder: string): Records {
  try {
    return open<string, RecordKey>({
      path: folder,
      noSubdir: false,
      encoding: 'string',
      maxDbs: 1,
      // A commit is on the disk when it returns.
      overlappingSync: false,
    });
  } catch (error) {
    throw isLmdbError(error) ? damaged(error) : error;
  }
}

/** Reads every record, so that damage shows before anything is served. */
function readAccounts(records: Records): ReadonlyMap<string, KeptAccount> {
  const stats = records.getStats() as { readonly entryCount: number };
  if (stats.entryCount === 0) {
    records.putSync(versionKey, JSON.stringify(formatVersion));
    return new Map();
  }
  let found = 0;
  const recordsOf = new Map<string, NamedRecord[]>();
  try {
    const version = records.get(versionKey);
    if (version !== JSON.stringify(formatVersion)) {
      throw new DamagedError(`its format is ${version}, and this program reads ${formatVersion}`);
    }
    for (const { key, value } of records.getRange()) {
      found += 1;
      const [account, holds, id] = key;
      const named = recordsOf.get(account) ?? [];
      recordsOf.set(account, named);
      named.push([holds, id, JSON.parse(value) as Json]);
    }
    if (found !== stats.entryCount) {
      throw new DamagedError(`it has ${found} of its ${stats.entryCount} records left`);
    }
    return new Map([...recordsOf].map(([account, named]) => [account, keptAccount(named)]));
  } catch (error) {
    throw error instanceof DamagedError ? error : damaged(error);
  }
}

function damaged(error: unknown): DamagedError {
  const why = error instanceof Error ? error.message : String(error);
  return new DamagedError(`it cannot be read: ${why}`, { cause: error });
}

/** lmdb's own errors have numbers below zero; those of the operating system do not speak of damage. */
function isLmdbError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'number' && error.code < 0
  );
}

async function attempt<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StoreError('unwritable', `cannot use the storage path ${path}: ${why}`, {
      cause: error,
    });
  }
}
