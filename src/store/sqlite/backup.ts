import { closeSync, openSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../lib/error-text.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { type StoreRecord, storeAccount, storeRow } from '../format/store-record.ts';
import { StoreError } from '../store-error.ts';
import { Connection } from './connection.ts';
import { toStoreError } from './errors.ts';
import { ownersFile, ownersFolder } from './file-modes.ts';

const unfinished = '.unfinished';

/**
 * Writes a dated copy of a database into a folder and returns its path. The copy is written,
 * opened, checked and marked under a temporary name, and renamed last, so a process that is killed
 * leaves no file that looks like a backup. Throws a `StoreError`.
 */
export function writeBackup(
  from: Pick<Connection, 'copyTo' | 'bytes'>,
  folder: string,
  suffix: string,
  record: StoreRecord,
): string {
  const path = join(folder, `uptime-${suffix}.db`);
  const temporary = `${path}${unfinished}`;
  try {
    makeFolder(folder, ownersFolder);
    removeUnfinished(folder);
    requireRoom(folder, from.bytes);
    closeSync(openSync(temporary, 'wx', ownersFile));
  } catch (error) {
    throw new StoreError('unwritable', `cannot write ${path}: ${messageOf(error)}`);
  }
  try {
    from.copyTo(temporary);
    markAsCopy(temporary, record);
    renameSync(temporary, path);
    return path;
  } catch (error) {
    for (const ending of ['', '-wal']) rmSync(temporary + ending, { force: true });
    throw toStoreError(error);
  }
}

function markAsCopy(path: string, record: StoreRecord): void {
  const copy = new Connection(path, 'DELETE');
  try {
    const fault = copy.fault();
    if (fault !== undefined) throw new Error(`the copy is corrupt: ${fault}`);
    const row = storeRow({ ...record, isCopy: true });
    copy.write({ account: storeAccount, writes: [row] });
  } finally {
    copy.close();
  }
}

/** A copy leaves as much room as it takes, so that no number of copies fills the disk of the store. */
function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize, blocks } = statfsSync(folder);
  // A file system without blocks does not know its room.
  if (blocks === 0 || bavail * bsize >= 2 * bytes) return;
  throw new Error('it would leave too little room on the disk; remove old copies');
}

/** Removes the unfinished copies that killed processes have left. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.includes(unfinished)) rmSync(join(folder, name), { force: true });
  }
}
