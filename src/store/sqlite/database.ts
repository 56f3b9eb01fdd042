import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, messageOf } from '../../lib/error-text.ts';
import { folderProblem } from '../../lib/file-problem.ts';
import { orUndefined, succeeds } from '../../lib/or-undefined.ts';
import { formatVersion, isMonthKind } from '../format/row.ts';
import { type StoreRecord, storeAccount, storeRow } from '../format/store-record.ts';
import type { Commit } from '../record-backend.ts';
import { exporterAccount, type MonthBatch } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { writeBackup } from './backup.ts';
import type { AccountWrites, Connection } from './connection.ts';
import { toStoreError } from './errors.ts';
import { ownersFile } from './file-modes.ts';
import { createFile, databaseName, openDatabase } from './open-database.ts';
import { whyPast } from './past.ts';
import type { Notice, OpenedAccount, WorkerOptions } from './protocol.ts';
import { StoreNote } from './store-note.ts';

const readOnlyCodes: readonly string[] = ['EROFS', 'EACCES', 'EPERM'];
/**
 * A store that was not closed is reported if its last commit is older than this: after a crash, the
 * next start usually comes sooner.
 */
const longMilliseconds = 3_600_000;

/** The database in the storage folder or, while that cannot be written, a copy. */
export class StoreDatabase {
  readonly #options: WorkerOptions;
  readonly #path: string;
  readonly notices: Notice[] = [];
  readonly #note: StoreNote;
  #connection: Connection;
  /** Device and inode of the folder and of the file when the database was opened. */
  #identity: string;
  #copy: string | undefined;
  #record: StoreRecord;
  /** Why an account without rows may have lost them; undefined if nothing was lost. */
  #lost: string | undefined;
  /** Why the totals of an account may be older than the ones already shown. */
  #past = '';

  /** Throws a `StoreError`. */
  constructor(options: WorkerOptions) {
    const { path } = options;
    this.#options = options;
    this.#path = path;
    this.#note = new StoreNote(path);
    const reason = this.#whyReadOnly();
    if (reason !== undefined) {
      this.#copy = this.#copyFiles(reason);
      this.notices.push({ kind: 'read-only', reason });
    }
    ({ connection: this.#connection, record: this.#record } = this.#open(this.#copy ?? path));
    this.#identity = identityOf(path) ?? '';
  }

  get id(): string {
    return this.#record.id;
  }

  /** Throws a `StoreError`. */
  accounts(): readonly string[] {
    try {
      return this.#connection.accounts().filter((name) => name !== storeAccount);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** Throws a `StoreError`. */
  open(account: string): OpenedAccount {
    try {
      const groups = this.#connection.read(account, (kind) => !isMonthKind(kind));
      const past = this.#pastOf(account, groups.length === 0);
      return past === undefined ? { groups } : { groups, past };
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** Throws a `StoreError`. */
  month(batch: MonthBatch): OpenedAccount {
    try {
      return { groups: this.#connection.readMonth(batch) };
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** All or nothing; the data are on disk when it returns. Throws a `StoreError`. */
  commit({ account, writes, beginsAgain, deletesAccount }: Commit, now: number): void {
    if (this.#copy !== undefined) this.#leaveCopy();
    this.#requireSameFiles();
    const { past = [], ...rest } = this.#record;
    const left = beginsAgain ? past.filter((name) => name !== account) : past;
    const record: StoreRecord = {
      ...rest,
      serial: rest.serial + 1,
      ...(left.length > 0 && { past: left }),
    };
    try {
      this.#connection.write({ account, writes, deletesAccount }, storeWrites(record));
    } catch (error) {
      throw toStoreError(error);
    }
    this.#record = record;
    this.#writeNote(record, now, false);
  }

  /** Writes a dated copy of the durable data and returns its path. Throws a `StoreError`. */
  backup(suffix: string): string {
    if (this.#copy !== undefined) this.#leaveCopy();
    this.#requireSameFiles();
    return writeBackup(this.#connection, join(this.#path, 'backup'), suffix, this.#record);
  }

  close(now: number): void {
    if (this.#copy === undefined && identityOf(this.#path) === this.#identity) {
      this.#writeNote(this.#record, now, true);
    }
    this.#connection.close();
    if (this.#copy !== undefined) rmSync(this.#copy, { recursive: true, force: true });
  }

  #open(folder: string): { readonly connection: Connection; readonly record: StoreRecord } {
    const { suffix, now, hasInodes } = this.#options;
    const { connection, notices, isNew, record: known } = openDatabase(folder, suffix);
    this.notices.push(...notices);
    const note = this.#note.read();
    const isSetAside = notices.some(({ kind }) => kind === 'set-aside');
    if (isNew && note === undefined && !isSetAside) {
      return { connection, record: this.#begin(connection) };
    }
    const inode = hasInodes ? this.#inode : undefined;
    const whyNew = isSetAside ? 'the database was set aside' : 'the database is missing or empty';
    const reason = isNew ? whyNew : whyPast({ record: known, note, inode, nowMilliseconds: now });
    if (isNew) this.#lost = reason;
    if (reason === undefined && known !== undefined) {
      if (note !== undefined && !note.isClosed && now - note.at > longMilliseconds) {
        this.notices.push({ kind: 'not-closed', lastCommit: note.at });
      }
      this.#past = known.past === undefined ? '' : 'it was restored before the last start';
      return { connection, record: known };
    }
    this.#past = reason ?? '';
    return { connection, record: this.#begin(connection, connection.accountsWithItems()) };
  }

  /**
   * Begins a new store. Its first commit writes the note and, if the disk is full now, the record:
   * before it, nothing can be lost.
   */
  #begin(connection: Connection, past: readonly string[] = []): StoreRecord {
    const record: StoreRecord = {
      id: randomUUID(),
      serial: 0,
      version: formatVersion,
      ...(past.length > 0 && { past: [...past] }),
    };
    succeeds(() => connection.write(storeWrites(record)));
    return record;
  }

  #pastOf(account: string, isEmpty: boolean): string | undefined {
    if (this.#record.past?.includes(account) === true) return this.#past;
    return isEmpty && account !== exporterAccount ? this.#lost : undefined;
  }

  #writeNote({ id, serial }: StoreRecord, now: number, isClosed: boolean): void {
    this.#note.write({ id, serial, at: now, isClosed, inode: this.#inode });
  }

  /** The inode of the database; empty if the file does not exist. */
  get #inode(): string {
    const file = join(this.#path, databaseName);
    return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino.toString() ?? '';
  }

  /**
   * Why files here are read-only; undefined if they can be written. Throws a `StoreError` if they
   * cannot be written and there is no database to serve.
   */
  #whyReadOnly(): string | undefined {
    const file = join(this.#path, databaseName);
    try {
      accessSync(this.#path, constants.W_OK);
      createFile(file);
      return undefined;
    } catch (error) {
      const why = folderProblem((error as NodeJS.ErrnoException).path ?? this.#path, error);
      if (readOnlyCodes.includes(codeOf(error)) && existsSync(file)) return why;
      throw new StoreError(
        codeOf(error) === 'ENOSPC' ? 'full' : 'unwritable',
        `cannot use the storage path ${this.#path}: ${why}`,
      );
    }
  }

  /** Copies the database and its log, which may have the last commits, to a temporary folder. */
  #copyFiles(reason: string): string {
    const from = join(this.#path, databaseName);
    let failure: unknown;
    for (const folder of [tmpdir(), '/dev/shm']) {
      try {
        return copyInto(mkdtempSync(join(folder, 'uptime-exporter-')), from);
      } catch (error) {
        failure = error;
      }
    }
    throw new StoreError(
      'unwritable',
      `cannot use the storage path ${this.#path}: ${reason}; nor can it be copied to a temporary folder: ${messageOf(failure)}`,
    );
  }

  /** Returns to the storage folder. Throws a `StoreError` while it cannot be written. */
  #leaveCopy(): void {
    const reason = this.#whyReadOnly();
    if (reason !== undefined) {
      throw new StoreError(
        'unwritable',
        `cannot write to the storage path ${this.#path}: ${reason}`,
      );
    }
    const copy = this.#copy;
    this.#copy = undefined;
    try {
      const { connection, record } = this.#open(this.#path);
      this.#connection.close();
      this.#connection = connection;
      this.#record = record;
    } catch (error) {
      this.#copy = copy;
      throw error;
    }
    this.#identity = identityOf(this.#path) ?? '';
    if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
  }

  /** Throws a `StoreError` if files were deleted or replaced: writes would be lost. */
  #requireSameFiles(): void {
    if (identityOf(this.#path) === this.#identity) return;
    throw new StoreError(
      'unwritable',
      `the storage path ${this.#path} was deleted, replaced or mounted over while in use: put it back, or restart the exporter`,
    );
  }
}

/** Copies the database and its log into an empty folder, which it returns, or removes. */
function copyInto(folder: string, database: string): string {
  try {
    for (const ending of ['', '-wal']) {
      if (!existsSync(database + ending)) continue;
      const copy = join(folder, databaseName + ending);
      copyFileSync(database + ending, copy);
      chmodSync(copy, ownersFile);
    }
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function storeWrites(record: StoreRecord): AccountWrites {
  return { account: storeAccount, writes: [storeRow(record)] };
}

/** Identifies the folder and the file in it; undefined when they are not there. */
function identityOf(path: string): string | undefined {
  return orUndefined(() => {
    const [folder, file] = [statSync(path), statSync(join(path, databaseName))];
    return `${folder.dev} ${folder.ino} ${file.dev} ${file.ino}`;
  });
}
