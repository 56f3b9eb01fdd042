import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../lib/error-text.ts';
import { manifestKind } from '../format/manifest.ts';
import {
  type Migration,
  migratedRecords,
  migrationsFrom,
  type StoreFormat,
} from '../format/migrations.ts';
import { StoreError } from '../store-error.ts';
import { applicationId, Connection, CorruptDatabaseError, recordsTable } from './connection.ts';
import { sizeOf } from './file-size.ts';
import { type Notice, unpack } from './protocol.ts';
import { type AccountRecord, isIntact, salvageRecords } from './salvage.ts';

export const databaseName = 'uptime.db';
export const ownerOnly = 0o600;

/** Offsets in the header of the file (sqlite.org/fileformat2.html, section 1.3). */
const headerBytes = 100;
const places = { writeVersion: 18, encoding: 56, applicationId: 68 };
const utf8 = 1;
/** The file formats that SQLite writes: 1 (rollback journal) and 2 (write-ahead log). */
const writeVersions: readonly unknown[] = [1, 2];

interface OpenedDatabase {
  readonly connection: Connection;
  readonly notices: readonly Notice[];
  /** The database was empty and has just been created. */
  readonly isNew: boolean;
}

/**
 * Opens the database of a folder, or creates it. A file that cannot be used is renamed to a name
 * that ends in `suffix`, and its readable records are written to a new one. Throws a `StoreError`.
 */
export function openDatabase(folder: string, suffix: string, format: StoreFormat): OpenedDatabase {
  const file = join(folder, databaseName);
  const movedTo = `${file}.damaged-${suffix}`;
  const notices: Notice[] = [];
  const unreadable = whyUnreadable(`${file}-wal`);
  if (unreadable !== undefined) {
    renameSync(`${file}-wal`, `${movedTo}-wal`);
    notices.push({ kind: 'log-unreadable', reason: unreadable, movedTo: `${movedTo}-wal` });
  }
  const opened = openIntact(file, format);
  if ('connection' in opened) return { ...opened, notices };
  // Salvage only after SQLite has closed the file: closing another descriptor of it would release
  // SQLite's lock.
  const records = salvageRecords(file);
  if (records.length === 0 && opened.refusal !== undefined) throw opened.refusal;
  const version = Math.max(...versionsOf(records).values());
  migrationsOf(version, file, format);
  for (const ending of ['', '-wal']) {
    if (existsSync(file + ending)) renameSync(file + ending, movedTo + ending);
  }
  createFile(file);
  const fresh = new Connection(file);
  fresh.create(Number.isFinite(version) ? version : format.version, records);
  notices.push({ kind: 'quarantined', reason: opened.fault, movedTo, salvaged: records.length });
  return { ...prepare(fresh, file, format), notices };
}

export function createFile(file: string): void {
  closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT, ownerOnly));
}

/**
 * Why the log cannot be read, for example because the disk fails; undefined if it can be read or
 * does not exist. Throws a `StoreError` if its mode forbids reading: it may contain the last
 * commits, and an operator can correct the mode.
 */
function whyUnreadable(path: string): string | undefined {
  try {
    readFileSync(path);
    return undefined;
  } catch (error) {
    const code = codeOf(error) || 'unknown error';
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES' && code !== 'EPERM') return code;
    throw new StoreError('unwritable', `cannot read ${path}: ${code}`, { cause: error });
  }
}

type Opened =
  | { readonly connection: Connection; readonly isNew: boolean }
  | {
      readonly fault: string;
      /** The error to throw if nothing can be salvaged: the file may belong to another program. */
      readonly refusal?: StoreError;
    };

function openIntact(file: string, format: StoreFormat): Opened {
  if (hasMisleadingHeader(file)) return { fault: 'its header is damaged' };
  // SQLite deletes the log of an empty database.
  if (sizeOf(file) < headerBytes && sizeOf(`${file}-wal`) > 0) {
    return { fault: 'it is empty, but its log is not' };
  }
  let connection: Connection | undefined;
  try {
    connection = new Connection(file);
    const fault = connection.fault();
    if (fault === undefined) return prepare(connection, file, format);
    connection.close();
    return { fault };
  } catch (error) {
    connection?.close();
    if (error instanceof CorruptDatabaseError) return { fault: error.message };
    const isOfFile =
      error instanceof StoreError && (error.reason === 'unwritable' || error.reason === 'refused');
    if (!isOfFile || !isAccessible(file)) throw error;
    return { fault: error.message, refusal: error };
  }
}

/** Whether the files are accessible. If not, an SQLite error proves nothing about them. */
function isAccessible(file: string): boolean {
  return [file, `${file}-wal`].every((path) => {
    try {
      closeSync(openSync(path, 'r+'));
      return true;
    } catch (error) {
      return path !== file && codeOf(error) === 'ENOENT';
    }
  });
}

/**
 * Returns whether the header of an exporter's database has damage that SQLite does not notice. With
 * another text encoding, SQLite finds no record; with another format version, it writes none.
 */
function hasMisleadingHeader(path: string): boolean {
  const header = Buffer.alloc(headerBytes);
  const file = openSync(path, 'r');
  try {
    const isWhole = readSync(file, header, 0, headerBytes, 0) === headerBytes;
    if (!isWhole || header.readUInt32BE(places.applicationId) !== applicationId) return false;
    return (
      header.readUInt32BE(places.encoding) !== utf8 ||
      !writeVersions.includes(header[places.writeVersion])
    );
  } finally {
    closeSync(file);
  }
}

/**
 * Creates the table or migrates the records. If the file belongs to another program or a newer
 * version, it throws a `StoreError` and leaves the file unchanged.
 */
function prepare(
  connection: Connection,
  file: string,
  format: StoreFormat,
): Pick<OpenedDatabase, 'connection' | 'isNew'> {
  const header = connection.header();
  if (header.tables.length === 0 && header.version === 0) {
    connection.create(format.version);
    return { connection, isNew: true };
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
  // The header of the file has no checksum; the records have.
  const versions = versionsOf(manifests);
  const versionOf = (account: string) => versions.get(account) ?? format.version;
  const outdated: string[] = [];
  for (const { account } of manifests) {
    if (migrationsOf(versionOf(account), file, format).length > 0) outdated.push(account);
  }
  if (versions.size === 0) migrationsOf(header.version, file, format);
  if (outdated.length > 0 || header.version !== format.version) {
    connection.migrate(format.version, outdated, (account, packed) =>
      migratedRecords(account, unpack(packed), versionOf(account), format),
    );
  }
  return { connection, isNew: false };
}

/** The versions of the accounts whose manifests are intact. */
function versionsOf(records: readonly AccountRecord[]): Map<string, number> {
  const manifests = records.filter((record) => record.kind === manifestKind && isIntact(record));
  return new Map(manifests.map(({ account, bytes }) => [account, bytes[0] ?? 0]));
}

/** Throws a `StoreError` for an unreadable version. It is infinite without an account. */
function migrationsOf(version: number, file: string, format: StoreFormat): readonly Migration[] {
  if (!Number.isFinite(version)) return [];
  try {
    return migrationsFrom(version, format);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StoreError('refused', `${file} ${error.message}`, { cause: error });
  }
}
