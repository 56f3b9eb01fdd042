import { isUtf8 } from 'node:buffer';
import Database from 'libsql';
import { codeOf, messageOf } from '../../lib/error-text.ts';
import { orUndefined } from '../../lib/or-undefined.ts';
import type { RecordWrite } from '../format/record.ts';
import { StoreError } from '../store-error.ts';
import { sizeOf } from './file-size.ts';
import { pageBytes } from './log-pages.ts';
import type { PackedRecords } from './protocol.ts';
import type { AccountRecord } from './salvage.ts';

/** `UpEx` in ASCII. In the header of a file, it identifies a database of the exporter. */
export const applicationId = 0x55704578;

/* As bytes: the binding ends the process for text that is not UTF-8, as in a corrupt file. */
const key = 'CAST(account AS BLOB), CAST(kind AS BLOB), CAST(name AS BLOB)';
const decoder = new TextDecoder();

/** A log larger than this is truncated after its pages are copied into the database. */
const logBytes = 4 * 2 ** 20;
/** A log of this many pages (1 MiB, for small volumes) is copied into the database. */
const copiedPages = 2 ** 20 / pageBytes;
export const recordsTable = 'records';
const createTable =
  'CREATE TABLE records (account TEXT, kind TEXT, name TEXT, bytes BLOB, ' +
  'PRIMARY KEY (account, kind, name)) WITHOUT ROWID';

/** Records to write in one account. */
export interface AccountWrites {
  readonly account: string;
  readonly writes: readonly RecordWrite[];
}

/** Thrown when SQLite cannot read the file as a database. */
export class CorruptDatabaseError extends Error {}

interface DatabaseHeader {
  readonly version: number;
  readonly applicationId: number;
  readonly tables: readonly string[];
}

/**
 * One open database file. With a log, the file is locked for this process alone. Then SQLite needs
 * no shared-memory file, and the database opens even on a full disk. Without a log, the file is
 * locked only while it is used: it stays open until its statements are garbage-collected, and a
 * finished backup must not stay locked until then. Every commit is on disk when it returns.
 */
export class Connection {
  readonly #database: Database.Database;
  readonly #path: string;

  /** The file stores the journal mode. Throws a `CorruptDatabaseError` or a `StoreError`. */
  constructor(path: string, journalMode: 'WAL' | 'DELETE' = 'WAL') {
    this.#path = path;
    try {
      this.#database = new Database(path);
      this.#pragma(`locking_mode = ${journalMode === 'WAL' ? 'EXCLUSIVE' : 'NORMAL'}`);
      this.#pragma('synchronous = FULL');
      this.#pragma('cell_size_check = ON');
      // Salvage needs pages of this size, without bytes that were deleted or replaced.
      this.#pragma(`page_size = ${pageBytes}`);
      this.#pragma('secure_delete = ON');
      this.#pragma(`journal_size_limit = ${logBytes}`);
      // The first access takes the lock. Setting the mode again writes nothing.
      this.#pragma(`journal_mode = ${journalMode}`);
      this.#pragma(`wal_autocheckpoint = ${copiedPages}`);
    } catch (error) {
      if (codeOf(error) === 'SQLITE_READONLY') {
        // The file itself is writable, so its header must be corrupt.
        throw new CorruptDatabaseError('its header forbids to write', { cause: error });
      }
      throw this.#translate(error);
    }
  }

  /** The first fault in the structure of the file or in a key; undefined if the file is intact. */
  fault(): string | undefined {
    return this.#attempt(() => {
      const sql = 'SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check(1)';
      const first = textOf(this.#rows(sql)[0]?.[0]);
      if (first !== 'ok') return first;
      if (!this.header().tables.includes(recordsTable)) return undefined;
      const keys = this.#rows(`SELECT ${key} FROM records`);
      // Under such a key no record can be read, replaced or deleted.
      return keys.some((parts) => parts.some((part) => !isUtf8(bytesOf(part))))
        ? 'the key of a record is damaged'
        : undefined;
    });
  }

  /** The format version and the application id in the header, and the names of the tables. */
  header(): DatabaseHeader {
    return this.#attempt(() => ({
      version: Number(this.#pragma('user_version')[0]),
      applicationId: Number(this.#pragma('application_id')[0]),
      tables: this.#rows('SELECT CAST(name AS BLOB) FROM sqlite_master').map(([name]) =>
        textOf(name),
      ),
    }));
  }

  create(version: number, records: readonly AccountRecord[] = []): void {
    this.#transaction(() => {
      this.#database.exec(createTable);
      this.#pragma(`application_id = ${applicationId}`);
      this.#pragma(`user_version = ${version}`);
      const put = this.#database.prepare('INSERT INTO records VALUES (?, ?, ?, ?)');
      for (const { account, kind, name, bytes } of records) put.run([account, kind, name, bytes]);
    });
  }

  /** Migrates all accounts to a version in one transaction; `writesOf` computes the writes. */
  migrate(
    version: number,
    accounts: readonly string[],
    writesOf: (account: string, records: PackedRecords) => readonly RecordWrite[],
  ): void {
    this.#transaction(() => {
      for (const account of accounts) this.#put(account, writesOf(account, this.read(account)));
      this.#pragma(`user_version = ${version}`);
    });
  }

  /** The names of the accounts that have records. */
  accounts(): string[] {
    return this.#attempt(() =>
      this.#rows('SELECT DISTINCT CAST(account AS BLOB) FROM records').map(([account]) =>
        textOf(account),
      ),
    );
  }

  /** The names of the accounts that have items. */
  accountsWithItems(): string[] {
    return this.#attempt(() =>
      this.#rows(
        "SELECT DISTINCT CAST(account AS BLOB) FROM records WHERE kind LIKE 'check %' OR kind LIKE 'transaction %'",
      ).map(([account]) => textOf(account)),
    );
  }

  read(account: string): PackedRecords {
    return this.#attempt(() => {
      const sql = `SELECT ${key}, CAST(bytes AS BLOB) FROM records WHERE account = ?`;
      const rows = this.#rows(sql, account);
      const parts = rows.map((row) => bytesOf(row[3]));
      const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      let end = 0;
      const keys = rows.map(([, kind, name], place): PackedRecords['keys'][number] => {
        const part = parts[place] ?? new Uint8Array();
        bytes.set(part, end);
        end += part.length;
        return [textOf(kind), textOf(name), end];
      });
      return { keys, bytes };
    });
  }

  /** The records of this kind, of all accounts. */
  ofKind(kind: string): AccountRecord[] {
    return this.#attempt(() =>
      this.#rows(`SELECT ${key}, CAST(bytes AS BLOB) FROM records WHERE kind = ?`, kind).map(
        ([account, , name, bytes]) => ({
          account: textOf(account),
          kind,
          name: textOf(name),
          bytes: bytesOf(bytes),
        }),
      ),
    );
  }

  /**
   * Writes records of accounts in one transaction. If the disk is full, it copies the log into the
   * database, which frees space in the log, and tries once more.
   */
  write(...writes: readonly AccountWrites[]): void {
    try {
      this.#write(writes);
    } catch (error) {
      if (!(error instanceof StoreError && error.reason === 'full') || !this.#emptyLog()) {
        throw error;
      }
      this.#write(writes);
    }
  }

  /** Writes a copy without the log to a path where the file is empty or does not exist. */
  copyTo(path: string): void {
    this.#attempt(() => this.#database.exec(`VACUUM INTO '${path.replaceAll("'", "''")}'`));
  }

  close(): void {
    // The file is closed only after its statements are garbage-collected. If the log cannot be
    // emptied here, the next opening reads it.
    this.#emptyLog();
    this.#database.close();
  }

  #write(all: readonly AccountWrites[]): void {
    this.#transaction(() => {
      for (const { account, writes } of all) this.#put(account, writes);
    });
  }

  #put(account: string, writes: readonly RecordWrite[]): void {
    const put = this.#database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)');
    const remove = this.#database.prepare(
      'DELETE FROM records WHERE account = ? AND kind = ? AND name = ?',
    );
    for (const { kind, name, bytes } of writes) {
      if (bytes === null) remove.run([account, kind, name]);
      else put.run([account, kind, name, bytes]);
    }
  }

  /** Copies the log into the database. Returns false if SQLite could not do it. */
  #emptyLog(): boolean {
    const [[isBusy] = []] = orUndefined(() => this.#rows('PRAGMA wal_checkpoint(TRUNCATE)')) ?? [];
    return isBusy === 0;
  }

  #transaction(action: () => void): void {
    this.#attempt(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        action();
        this.#database.exec('COMMIT');
      } catch (error) {
        // After most failures, SQLite has already rolled back.
        if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** The first column of the rows that a pragma returns. */
  #pragma(source: string): unknown[] {
    return this.#rows(`PRAGMA ${source}`).map(([value]) => value);
  }

  #rows(sql: string, ...values: readonly string[]): unknown[][] {
    const statement = this.#database.prepare(sql);
    if (statement.reader) return statement.raw().all(...values) as unknown[][];
    statement.run(...values);
    return [];
  }

  #attempt<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw this.#translate(error);
    }
  }

  #translate(error: unknown): Error {
    const why = messageOf(error);
    const code = codeOf(error);
    // A read beyond the end of the file has the code `SQLITE_IOERR` without an extension. The size
    // of a complete file is a multiple of the page size.
    const isCut = code === 'SQLITE_IOERR' && sizeOf(this.#path) % pageBytes !== 0;
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(code) || isCut) {
      return new CorruptDatabaseError(`it cannot be read: ${why}`, { cause: error });
    }
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
      const message = `another process uses the store at ${this.#path}: stop it, or choose another storage path`;
      return new StoreError('locked', message, { cause: error });
    }
    if (code === 'SQLITE_FULL') {
      const message = `cannot write to ${this.#path}, is the disk full? ${why}`;
      return new StoreError('full', message, { cause: error });
    }
    if (/^SQLITE_IOERR(?!_READ)/.test(code)) {
      const message = `cannot write to ${this.#path}, the disk may be full or faulty: ${why}`;
      return new StoreError('full', message, { cause: error });
    }
    return new StoreError('unwritable', `cannot use ${this.#path}: ${why}`, { cause: error });
  }
}

function textOf(value: unknown): string {
  return decoder.decode(bytesOf(value));
}

function bytesOf(value: unknown): Uint8Array {
  // `CAST(NULL AS BLOB)` is NULL.
  return value instanceof Uint8Array ? value : new Uint8Array();
}
