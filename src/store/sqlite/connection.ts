import { isUtf8 } from 'node:buffer';
import Database from 'libsql';
import { codeOf, messageOf } from '../../lib/error-text.ts';
import { orUndefined } from '../../lib/or-undefined.ts';
import { crcText, idColumn, type RowKey, type RowWrite, tables } from '../format/row.ts';
import type { MonthBatch } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { sizeOf } from './file-size.ts';
import type { RowGroup } from './protocol.ts';
import { createTables } from './tables.ts';

/** `UpEx` in ASCII. In the header of a file, it identifies a database of the exporter. */
export const applicationId = 0x55704578;

/** The page size of the exporter's databases, in bytes. */
export const pageBytes = 4096;
/** A log larger than this is truncated after its pages are copied into the database. */
const logBytes = 4 * 2 ** 20;
/** A log of this many pages (1 MiB, for small volumes) is copied into the database. */
const copiedPages = 2 ** 20 / pageBytes;
/** Of statements that succeed on every intact file, and of a disk that cannot read it. */
const corruptCode = /^SQLITE_(CORRUPT|NOTADB|ERROR$|FORMAT|IOERR_READ|IOERR_SHORT_READ)/;
const rowsPerGroup = 4096;
const decoder = new TextDecoder();

/** Rows to write in one account. */
export interface AccountWrites {
  readonly account: string;
  readonly writes: readonly RowWrite[];
  /** Deletes all rows of the account first. */
  readonly deletesAccount?: boolean;
}

/** Which rows of a kind are read; by default all. */
interface RowSelection {
  /** Only rows with greater ids. */
  readonly afterId?: number;
  readonly most?: number;
  readonly ids?: readonly number[];
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
 *
 * Texts are read as bytes: the binding ends the process for text that is not UTF-8, as in a corrupt
 * file.
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
      this.#pragma(`page_size = ${pageBytes}`);
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
      const { tables: known } = this.header();
      // The check does not notice a large row that ends after the end of the file.
      if (sizeOf(this.#path) % pageBytes !== 0) {
        for (const table of tables) {
          if (known.includes(table))
            this.#rows(`SELECT sum(length(${bytes('body')})) FROM ${table}`);
        }
      }
      // Under such a key no row can be read, replaced or deleted.
      const isBroken = tables
        .filter((table) => known.includes(table))
        .flatMap((table) =>
          this.#rows(`SELECT DISTINCT ${bytes('account')}, ${bytes('kind')} FROM ${table}`),
        )
        .some((parts) => parts.some((part) => !isUtf8(bytesOf(part))));
      return isBroken ? 'the key of a row is corrupt' : undefined;
    });
  }

  /** The format version and the application id in the header, and the names of the tables. */
  header(): DatabaseHeader {
    return this.#attempt(() => ({
      version: Number(this.#pragma('user_version')[0]),
      applicationId: Number(this.#pragma('application_id')[0]),
      tables: this.#rows(`SELECT ${bytes('name')} FROM sqlite_master WHERE type = 'table'`).map(
        ([name]) => textOf(name),
      ),
    }));
  }

  create(version: number): void {
    this.#transaction(() => {
      this.#database.exec(createTables);
      this.#pragma(`application_id = ${applicationId}`);
      this.#pragma(`user_version = ${version}`);
    });
  }

  /** The names of the accounts that have rows. */
  accounts(): string[] {
    return this.#names(`SELECT DISTINCT ${bytes('account')} FROM row`);
  }

  /** The names of the accounts that have items. */
  accountsWithItems(): string[] {
    return this.#names(`SELECT DISTINCT ${bytes('account')} FROM horizon`);
  }

  /** The rows of an account, by default those of all kinds. */
  read(account: string, isRead: (kind: string) => boolean = () => true): RowGroup[] {
    return this.#attempt(() =>
      tables.flatMap((table) => {
        const sql = `SELECT DISTINCT ${bytes('kind')} FROM ${table} WHERE account = ?`;
        return this.#rows(sql, account).flatMap(([column]) => {
          const kind = textOf(column);
          return isRead(kind) ? [...this.#groups(table, account, kind)] : [];
        });
      }),
    );
  }

  readMonth(batch: MonthBatch): RowGroup[] {
    const kinds = 'kinds' in batch ? batch.kinds : [batch.kind];
    return this.#attempt(() =>
      kinds.flatMap((kind) => {
        const { group, count } = this.#group('row', batch.account, kind, batch);
        return count > 0 ? [group] : [];
      }),
    );
  }

  /**
   * Writes rows of accounts in one transaction. If the disk is full, it copies the log into the
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

  /** The size of the file with its log, in bytes. */
  get bytes(): number {
    return sizeOf(this.#path) + sizeOf(`${this.#path}-wal`);
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
      for (const { account, writes, deletesAccount = false } of all) {
        if (deletesAccount) {
          for (const table of tables) {
            this.#database.prepare(`DELETE FROM ${table} WHERE account = ?`).run([account]);
          }
        }
        this.#put(account, writes);
      }
    });
  }

  #put(account: string, writes: readonly RowWrite[]): void {
    const [row, horizon] = tables.map((table) => {
      const id = idColumn[table];
      return {
        // An update leaves the row where it is. A replacement would also write its index.
        put: this.#database.prepare(
          `INSERT INTO ${table} VALUES (?, ?, ?, CAST(? AS TEXT), ?)
           ON CONFLICT DO UPDATE SET body = excluded.body, crc = excluded.crc`,
        ),
        remove: this.#database.prepare(
          `DELETE FROM ${table} WHERE account = ? AND kind = ? AND ${id} = ?`,
        ),
      };
    });
    for (const { table, kind, id, body, crc } of writes) {
      const statements = table === 'row' ? row : horizon;
      if (body === null) statements?.remove.run([account, kind, id]);
      else statements?.put.run([account, kind, id, body, crcText(crc)]);
    }
  }

  /** The rows of one kind. */
  *#groups(table: RowKey['table'], account: string, kind: string): Generator<RowGroup> {
    for (let afterId = -1, count = rowsPerGroup; count === rowsPerGroup; ) {
      const read = this.#group(table, account, kind, { afterId, most: rowsPerGroup });
      [afterId, count] = [read.lastId, read.count];
      if (count > 0) yield read.group;
    }
  }

  /**
   * Some rows of one kind. SQLite joins them to one value: the binding takes longer for a value than
   * SQLite for a row.
   */
  #group(
    table: RowKey['table'],
    account: string,
    kind: string,
    { afterId = -1, most = -1, ids }: RowSelection,
  ): { readonly group: RowGroup; readonly count: number; readonly lastId: number } {
    const id = idColumn[table];
    const sql = `SELECT CAST(group_concat(id || ' ' || crc || ' ' || body, char(10)) AS BLOB), max(id), count(*)
      FROM (SELECT ${id} AS id, crc, body FROM ${table} WHERE account = ? AND kind = ? AND ${id} > ?
        ${ids === undefined ? '' : `AND ${id} IN (SELECT value FROM json_each(?))`}
        ORDER BY ${id} LIMIT ?)`;
    const only = ids === undefined ? [] : [JSON.stringify(ids)];
    const [row = []] = this.#rows(sql, account, kind, afterId, ...only, most);
    const lines = new Uint8Array(bytesOf(row[0]));
    return { group: { table, kind, lines }, lastId: Number(row[1]), count: Number(row[2]) };
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

  /** The first column of the rows of a query. */
  #names(sql: string): string[] {
    return this.#attempt(() => this.#rows(sql).map(([name]) => textOf(name)));
  }

  #rows(sql: string, ...values: readonly (string | number)[]): unknown[][] {
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
    if (corruptCode.test(code) || isCut) {
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
    if (/^SQLITE_IOERR/.test(code)) {
      const message = `cannot write to ${this.#path}, the disk may be full or faulty: ${why}`;
      return new StoreError('full', message, { cause: error });
    }
    return new StoreError('unwritable', `cannot use ${this.#path}: ${why}`, { cause: error });
  }
}

function bytes(column: string): string {
  return `CAST(${column} AS BLOB)`;
}

function textOf(value: unknown): string {
  return decoder.decode(bytesOf(value));
}

function bytesOf(value: unknown): Uint8Array {
  // `CAST(NULL AS BLOB)` is NULL.
  return value instanceof Uint8Array ? value : new Uint8Array();
}
