import { closeSync, constants, existsSync, openSync, readSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { manifestKind } from '../format/manifest.ts';
import { type Migration, migrationsFrom } from '../format/migrations.ts';
import { formatVersion } from '../format/record.ts';
import { StoreError } from '../store-error.ts';
import { applicationId, Connection, CorruptDatabaseError, recordsTable } from './connection.ts';
import { type Notice, unpack } from './protocol.ts';
import { type AccountRecord, isIntact, salvageRecords } from './salvage.ts';
import { readLog } from './wal-tail.ts';

export const databaseName = 'uptime.db';
export const ownerOnly = 0o600;

/** Of the file, as sqlite.org/fileformat2.html, section 1.3 has it. */
const headerBytes = 100;
const places = { encoding: 56, applicationId: 68 };
const utf8 = 1;

export interface OpenedDatabase {
  readonly connection: Connection;
  readonly notices: readonly Notice[];
}

/**
 * Opens the database of a folder, or begins one. A file that cannot be used is moved aside, under a name that ends in the suffix,
 * and what can be read of it goes on in a new one. Throws a `StoreError`.
 */
export function openDatabase(folder: string, suffix: string): OpenedDatabase {
  const file = join(folder, databaseName);
  const notices: Notice[] = [];
  const frames = unreadableFrames(`${file}-wal`);
  if (frames > 0) notices.push({ kind: 'log-damaged', frames });
  const opened = openSound(file);
  if ('connection' in opened) return { connection: opened.connection, notices };
  // Only now: to close a file that SQLite has open as well would take its lock away.
  const records = salvageRecords(file);
  if (records.length === 0 && opened.refusal !== undefined) throw opened.refusal;
  const version = versionOf(records) ?? formatVersion;
  migrationsOf(version, file);
  const movedTo = `${file}.damaged-${suffix}`;
  for (const ending of ['', '-wal']) {
    if (existsSync(file + ending)) renameSync(file + ending, movedTo + ending);
  }
  createFile(file);
  const fresh = new Connection(file);
  fresh.create(version, records);
  notices.push({ kind: 'quarantined', reason: opened.fault, movedTo, salvaged: records.length });
  return { connection: prepare(fresh, file), notices };
}

export function createFile(file: string): void {
  closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT, ownerOnly));
}

function unreadableFrames(walPath: string): number {
  try {
    return readLog(walPath).unreadableFrames;
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new StoreError('unwritable', `cannot read ${walPath}: ${code}`, { cause: error });
  }
}

type Opened =
  | { readonly connection: Connection }
  | {
      readonly fault: string;
      /** What to throw when there is nothing to salvage: it may be none of ours. */
      readonly refusal?: StoreError;
    };

function openSound(file: string): Opened {
  if (hasMisleadingHeader(file)) return { fault: 'its header is damaged' };
  let connection: Connection | undefined;
  try {
    connection = new Connection(file);
    const fault = connection.fault();
    if (fault === undefined) return { connection: prepare(connection, file) };
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

/** Whether this process may read and write the database and its log: else SQLite's refusal says nothing about their contents. */
function isAccessible(file: string): boolean {
  return [file, `${file}-wal`].every((path) => {
    try {
      closeSync(openSync(path, 'r+'));
      return true;
    } catch (error) {
      return path !== file && (error as NodeJS.ErrnoException).code === 'ENOENT';
    }
  });
}

/** Of our own file one that SQLite would believe: with another encoding of text no record would be found. */
function hasMisleadingHeader(path: string): boolean {
  const header = Buffer.alloc(headerBytes);
  const file = openSync(path, 'r');
  try {
    const isWhole = readSync(file, header, 0, headerBytes, 0) === headerBytes;
    if (!isWhole || header.readUInt32BE(places.applicationId) !== applicationId) return false;
    return header.readUInt32BE(places.encoding) !== utf8;
  } finally {
    closeSync(file);
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
  const version = versionOf(manifests) ?? header.version;
  for (const migration of migrationsOf(version, file)) {
    for (const { account } of connection.ofKind(manifestKind)) {
      connection.write(account, migration(account, unpack(connection.read(account))));
    }
  }
  if (header.version !== formatVersion) connection.setVersion(formatVersion);
  return connection;
}

/** The header of the file has no checksum of its own, the records have. */
function versionOf(records: readonly AccountRecord[]): number | undefined {
  const manifests = records.filter((record) => record.kind === manifestKind && isIntact(record));
  return manifests.length === 0
    ? undefined
    : Math.max(...manifests.map(({ bytes }) => bytes[0] ?? 0));
}

/** Throws a `StoreError` for a version that cannot be read. */
function migrationsOf(version: number, file: string): readonly Migration[] {
  try {
    return migrationsFrom(version);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StoreError('refused', `${file} ${error.message}`, { cause: error });
  }
}
