import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifestKind } from '../format/account-records.ts';
import { migrations } from '../format/migrations.ts';
import { type RecordWrite, unseal } from '../format/record.ts';
import { formatVersion } from '../format/version.ts';
import { StoreError } from '../store-error.ts';
import {
  type AccountRecord,
  applicationId,
  Connection,
  CorruptDatabaseError,
  recordsTable,
} from './connection.ts';
import { type Notice, type PackedRecords, unpack, type WorkerOptions } from './protocol.ts';
import { unreadableFrames } from './wal-tail.ts';

export const databaseName = 'uptime.db';
const ownerOnly = 0o600;
const ownersFolder = 0o700;
const readOnlyCodes: readonly unknown[] = ['EROFS', 'EACCES', 'EPERM'];

/** The database in the storage folder, or while nothing can be written there, a copy of it elsewhere. */
export class StoreDatabase {
  readonly #path: string;
  readonly #suffix: string;
  readonly notices: Notice[] = [];
  #connection: Connection;
  /** Where the file lay when it was opened. */
  #identity: string;
  #copy: string | undefined;

  /** Throws a `StoreError`. */
  constructor({ path, suffix }: WorkerOptions) {
    this.#path = path;
    this.#suffix = suffix;
    requireNoLmdb(path);
    const reason = this.#whyReadOnly();
    if (reason === undefined) {
      this.#connection = this.#open(path);
    } else {
      this.#copy = this.#copyFiles();
      this.#connection = this.#open(this.#copy);
      this.notices.push({ kind: 'read-only', reason });
    }
    this.#identity = identityOf(path) ?? '';
  }

  read(account: string): PackedRecords {
    try {
      return this.#connection.read(account);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** All or nothing, and on the disk when it returns. Throws a `StoreError`. */
  write(account: string, writes: readonly RecordWrite[]): void {
    if (this.#copy !== undefined) this.#leaveCopy();
    this.#requireSameFiles();
    try {
      this.#connection.write(account, writes);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** A dated copy of what is durable; answers its path. Throws a `StoreError`. */
  backup(suffix: string): string {
    if (this.#copy !== undefined) this.#leaveCopy();
    this.#requireSameFiles();
    const folder = join(this.#path, 'backup');
    const path = join(folder, `uptime-${suffix}.db`);
    try {
      mkdirSync(folder, { recursive: true, mode: ownersFolder });
      closeSync(openSync(path, 'wx', ownerOnly));
    } catch (error) {
      throw new StoreError('unwritable', `cannot write ${path}: ${messageOf(error)}`);
    }
    try {
      this.#connection.copyTo(path);
      return path;
    } catch (error) {
      rmSync(path, { force: true });
      throw toStoreError(error);
    }
  }

  close(): void {
    this.#connection.close();
    if (this.#copy !== undefined) rmSync(this.#copy, { recursive: true, force: true });
  }

  /** Opens what there is; a file that cannot be used is moved aside, and what can be read of it is kept. */
  #open(folder: string): Connection {
    const file = join(folder, databaseName);
    const frames = unreadableFrames(`${file}-wal`);
    if (frames > 0) this.notices.push({ kind: 'log-damaged', frames });
    let fault: string | undefined;
    let connection: Connection | undefined;
    try {
      connection = new Connection(file);
      fault = connection.fault();
      if (fault === undefined) return prepare(connection, file);
    } catch (error) {
      if (!(error instanceof CorruptDatabaseError)) {
        connection?.close();
        throw error;
      }
      fault = error.message;
    }
    const records = connection === undefined ? [] : salvageIntact(connection);
    connection?.close();
    const movedTo = `${file}.damaged-${this.#suffix}`;
    for (const ending of ['', '-wal']) {
      if (existsSync(file + ending)) renameSync(file + ending, movedTo + ending);
    }
    this.notices.push({ kind: 'quarantined', reason: fault, movedTo, salvaged: records.length });
    createFile(file);
    const fresh = new Connection(file);
    fresh.create(formatVersion, records);
    return fresh;
  }

  /** Undefined when files can be written here. Throws a `StoreError` when they cannot, and there is nothing to serve either. */
  #whyReadOnly(): string | undefined {
    const file = join(this.#path, databaseName);
    try {
      accessSync(this.#path, constants.W_OK);
      createFile(file);
      return undefined;
    } catch (error) {
      const why = messageOf(error);
      const isReadOnly =
        error instanceof Error && 'code' in error && readOnlyCodes.includes(error.code);
      if (isReadOnly && existsSync(file)) return why;
      const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
      throw new StoreError(
        isFull ? 'full' : 'unwritable',
        `cannot use the storage path ${this.#path}: ${why}`,
      );
    }
  }

  /** The log goes along: the last commits before a crash are in it. */
  #copyFiles(): string {
    const from = join(this.#path, databaseName);
    let failure: unknown;
    for (const folder of [tmpdir(), '/dev/shm']) {
      let copy: string | undefined;
      try {
        copy = mkdtempSync(join(folder, 'uptime-exporter-'));
        for (const ending of ['', '-wal']) {
          if (!existsSync(from + ending)) continue;
          copyFileSync(from + ending, join(copy, databaseName + ending));
          chmodSync(join(copy, databaseName + ending), ownerOnly);
        }
        return copy;
      } catch (error) {
        failure = error;
        if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
      }
    }
    throw new StoreError(
      'unwritable',
      `cannot write to the storage path ${this.#path}, nor copy it to a temporary folder: ${messageOf(failure)}`,
    );
  }

  /** Goes back to the storage folder when it can be written again. Throws a `StoreError` while it cannot. */
  #leaveCopy(): void {
    const reason = this.#whyReadOnly();
    if (reason !== undefined) {
      throw new StoreError(
        'unwritable',
        `cannot write to the storage path ${this.#path}: ${reason}`,
      );
    }
    const connection = this.#open(this.#path);
    this.#connection.close();
    this.#connection = connection;
    this.#identity = identityOf(this.#path) ?? '';
    if (this.#copy !== undefined) rmSync(this.#copy, { recursive: true, force: true });
    this.#copy = undefined;
  }

  /** What is written to files that no path leads to any more is lost with the process. */
  #requireSameFiles(): void {
    if (identityOf(this.#path) === this.#identity) return;
    throw new StoreError(
      'unwritable',
      `the storage path ${this.#path} was deleted, replaced or mounted over while in use: put it back, or restart the exporter`,
    );
  }
}

/** Throws a `StoreError` when the file is for another program or a newer version, and leaves it as it is. */
function prepare(connection: Connection, file: string): Connection {
  const header = connection.header();
  if (header.tables.length === 0 && header.version === 0) {
    connection.create(formatVersion);
    return connection;
  }
  const hasRecords = header.tables.includes(recordsTable);
  if (header.applicationId === applicationId && !hasRecords) {
    throw new CorruptDatabaseError('it has no table of records');
  }
  const manifests = hasRecords ? connection.ofKind(manifestKind) : [];
  if (header.applicationId !== applicationId && manifests.length === 0) {
    throw new StoreError(
      'refused',
      `${file} is a database of another program: choose another storage path`,
    );
  }
  // The header of the file has no checksum of its own, the records have.
  const versions = manifests.filter(isIntact).map(({ bytes }) => bytes[0] ?? 0);
  const version = versions.length === 0 ? header.version : Math.max(...versions);
  if (version > formatVersion) {
    throw new StoreError(
      'refused',
      `${file} was written by a newer version (format ${version}, this one reads ${formatVersion}): ` +
        'install that version again, or choose another storage path',
    );
  }
  migrate(connection, file, version);
  if (header.version !== formatVersion) connection.setVersion(formatVersion);
  return connection;
}

function migrate(connection: Connection, file: string, from: number): void {
  for (let version = from; version < formatVersion; version++) {
    const migration = migrations.get(version);
    if (migration === undefined) {
      throw new StoreError(
        'refused',
        `${file} has format ${version}, which no released version wrote: move it away, or choose another storage path`,
      );
    }
    for (const { account } of connection.ofKind(manifestKind)) {
      connection.write(account, migration(account, unpack(connection.read(account))));
    }
  }
}

function salvageIntact(connection: Connection): AccountRecord[] {
  return connection.salvage().filter(({ bytes }) => bytes.length > 0);
}

function isIntact({ account, kind, name, bytes }: AccountRecord): boolean {
  try {
    unseal(account, { kind, name }, bytes, bytes[0]);
    return true;
  } catch {
    return false;
  }
}

function requireNoLmdb(path: string): void {
  for (const file of [join(path, 'data', 'data.mdb'), join(path, 'data.mdb')]) {
    if (!existsSync(file)) continue;
    throw new StoreError(
      'refused',
      `${file} was written by a development version whose format is no longer read: move it away (counters start anew), or choose another storage path`,
    );
  }
}

function createFile(file: string): void {
  closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT, ownerOnly));
}

/** Of the folder and of the file in it; undefined when they are not there. */
function identityOf(path: string): string | undefined {
  try {
    const [folder, file] = [statSync(path), statSync(join(path, databaseName))];
    return `${folder.dev} ${folder.ino} ${file.dev} ${file.ino}`;
  } catch {
    return undefined;
  }
}

function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('unwritable', `the database is damaged: ${messageOf(error)}`, {
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
