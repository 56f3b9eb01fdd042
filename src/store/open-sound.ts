import { join } from 'node:path';
import { open } from 'lmdb';
import { DamagedError, unreadable } from './damaged-error.ts';
import { makeReadable } from './data-file.ts';
import type { LmdbStoreOptions, RecordKey, Records } from './lmdb-store.ts';
import { makeFolder } from './make-folder.ts';
import type { OpeningMark } from './opening-mark.ts';
import { accountsIn, beginFormat, type RawRecord, readRecords } from './read-accounts.ts';

export type SoundRecords = Pick<LmdbStoreOptions, 'records' | 'accounts'>;

/** A folder, made when it is missing. Rejects with a `DamagedError` when anything in it cannot be read. */
export async function openSound(folder: string, mark: OpeningMark): Promise<SoundRecords> {
  // In a new one, what the process did not survive was the opening of another folder.
  if (await makeFolder(folder)) await mark.end();
  const damage = await makeReadable(join(folder, 'data.mdb'));
  if (damage !== undefined) throw new DamagedError(damage);
  const { records, found } = await openRead(folder, mark);
  try {
    if (found.length > 0) return { records, accounts: accountsIn(found) };
    beginFormat(records);
    return { records, accounts: new Map() };
  } catch (error) {
    await records.close();
    throw error;
  }
}

interface ReadRecords {
  readonly records: Records;
  readonly found: readonly RawRecord[];
}

/** Under the mark is all that a damaged file may end the process in, and nothing else that takes time. */
async function openRead(folder: string, mark: OpeningMark): Promise<ReadRecords> {
  if (!(await mark.begin())) throw new DamagedError('the process died when it opened it, twice');
  try {
    const records = openFolder(folder);
    try {
      return { records, found: readRecords(records) };
    } catch (error) {
      await records.close();
      throw error;
    }
  } finally {
    await mark.end();
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
    throw isLmdbError(error) ? unreadable(error) : error;
  }
}

/** lmdb's own errors have numbers below zero; those of the operating system do not speak of damage. */
function isLmdbError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'number' && error.code < 0
  );
}
