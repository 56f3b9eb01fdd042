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
import { formatVersion, tables, whyUnknownFormat } from '../format/row.ts';
import { readStoreRow, type StoreRecord, storeAccount } from '../format/store-record.ts';
import { StoreError } from '../store-error.ts';
import { applicationId, Connection, CorruptDatabaseError } from './connection.ts';
import { ownersFile } from './file-modes.ts';
import { sizeOf } from './file-size.ts';
import { type Notice, unpack } from './protocol.ts';

export const databaseName = 'uptime.db';

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
  /** Undefined if it is absent or cannot be read. */
  readonly record: StoreRecord | undefined;
}

/**
 * Opens the database of a folder, or creates it. A file that cannot be used is renamed to a name
 * that ends in `suffix`, and an empty one takes its place. Throws a `StoreError`.
 */
export function openDatabase(folder: string, suffix: string): OpenedDatabase {
  const file = join(folder, databaseName);
  const movedTo = `${file}.damaged-${suffix}`;
  const notices: Notice[] = [];
  const unreadable = whyUnreadable(`${file}-wal`);
  if (unreadable !== undefined) {
    renameSync(`${file}-wal`, `${movedTo}-wal`);
    notices.push({ kind: 'log-unreadable', reason: unreadable, movedTo: `${movedTo}-wal` });
  }
  const opened = openIntact(file);
  if ('connection' in opened) return { ...opened, notices };
  for (const ending of ['', '-wal']) {
    if (existsSync(file + ending)) renameSync(file + ending, movedTo + ending);
  }
  createFile(file);
  notices.push({ kind: 'set-aside', reason: opened.fault, movedTo });
  return { ...prepare(new Connection(file), file), notices };
}

export function createFile(file: string): void {
  closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT, ownersFile));
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

type Prepared = Pick<OpenedDatabase, 'connection' | 'isNew' | 'record'>;

function openIntact(file: string): Prepared | { readonly fault: string } {
  if (hasMisleadingHeader(file)) return { fault: 'its header is corrupt' };
  // SQLite deletes the log of an empty database.
  if (sizeOf(file) < headerBytes && sizeOf(`${file}-wal`) > 0) {
    return { fault: 'it is empty, but its log is not' };
  }
  let connection: Connection | undefined;
  try {
    connection = new Connection(file);
    const fault = connection.fault();
    if (fault === undefined) return prepare(connection, file);
    connection.close();
    return { fault };
  } catch (error) {
    connection?.close();
    if (!(error instanceof CorruptDatabaseError)) throw error;
    return { fault: error.message };
  }
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
 * Creates the tables of an empty database. Throws a `StoreError` and leaves the file unchanged if
 * it belongs to another program or has another format.
 */
function prepare(connection: Connection, file: string): Prepared {
  const header = connection.header();
  if (header.tables.length === 0 && header.version === 0) {
    connection.create(formatVersion);
    return { connection, isNew: true, record: undefined };
  }
  const isOurs = header.applicationId === applicationId;
  const isWhole = tables.every((table) => header.tables.includes(table));
  const [row] = isWhole ? unpack(connection.read(storeAccount)) : [];
  const record = readStoreRow(row);
  if (!isOurs && record === undefined) {
    throw new StoreError(
      'refused',
      `${file} is a database of another program: choose another storage path`,
    );
  }
  // The header of the file has no checksum; the row has.
  const why = whyUnknownFormat(record?.version ?? header.version);
  if (why !== undefined) throw new StoreError('refused', `${file} ${why}`);
  if (!isWhole) throw new CorruptDatabaseError('its tables are missing');
  return { connection, isNew: false, record };
}
