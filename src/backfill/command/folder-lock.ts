import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { z } from 'zod';
import { UsageError } from '../../config/problems.ts';
import { codeOf, messageOf } from '../../lib/error-text.ts';
import { orUndefined } from '../../lib/or-undefined.ts';

/** Stays in the folder: if it were deleted, two commands could lock two files with this name. */
const lockName = '.lock';
const holderName = '.lock-holder.json';
export const lockNames: readonly string[] = [lockName, holderName];

const holderSchema = z.object({ process: z.number(), host: z.string(), since: z.string() });

/** The lock of a folder: an SQLite lock on an empty file, which ends with the process. */
export class FolderLock {
  readonly #database: Database.Database;
  readonly #holderPath: string;

  private constructor(database: Database.Database, holderPath: string) {
    this.#database = database;
    this.#holderPath = holderPath;
  }

  /** Throws a file-system error, or a `UsageError` with the owner. Later commands show `since`. */
  static acquire(folder: string, since: string): FolderLock {
    const path = join(folder, lockName);
    const holderPath = join(folder, holderName);
    // The errors of the file system are clearer than those of SQLite. An existing file is not
    // opened here, because closing it would release a lock.
    if (!existsSync(path)) closeSync(openSync(path, 'a'));
    let database: Database.Database | undefined;
    try {
      database = new Database(path);
      // No journal file.
      database.pragma('journal_mode = MEMORY');
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database?.close();
      throw new UsageError(
        /^SQLITE_BUSY/.test(codeOf(error))
          ? `another backfill command writes to ${folder}${holderText(holderPath)}: wait until it ends, or stop it`
          : `${path} cannot be locked: ${messageOf(error)}; choose a folder on another file system`,
      );
    }
    const holder = { process: process.pid, host: hostname(), since };
    // On a full disk, the lock does not name its owner.
    orUndefined(() => writeFileSync(holderPath, `${JSON.stringify(holder)}\n`));
    return new FolderLock(database, holderPath);
  }

  release(): void {
    rmSync(this.#holderPath, { force: true });
    this.#database.exec('ROLLBACK');
    this.#database.close();
  }
}

function holderText(path: string): string {
  const holder = orUndefined(() => holderSchema.parse(JSON.parse(readFileSync(path, 'utf8'))));
  if (holder === undefined) return '';
  return ` (process ${holder.process} on ${holder.host}, since ${holder.since})`;
}
