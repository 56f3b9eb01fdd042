import { readFileSync } from 'node:fs';
import { succeeds } from '../../lib/or-undefined.ts';
import { type StoredRecord, unseal } from '../format/record.ts';
import { logPages, pageBytes } from './log-pages.ts';

/*
 * Reads records from the pages of a corrupt database without SQLite, which gives up on a table when
 * a page on the path to it is corrupt. A record is a cell of an index b-tree, on a leaf or an
 * interior page (sqlite.org/fileformat2.html, sections 1.6 and 2.1):
 *
 *   varint size of the payload, payload up to the local size, and if there is more, u32 number of
 *     the first overflow page
 *   payload: varint size of its header, a varint type for each column (text 13 + 2n, bytes
 *     12 + 2n), the columns
 *   overflow page: u32 number of the next one, then payload
 *
 * Every offset of every page is tried as the start of a cell, regardless of the page's header. The
 * checksum of the record decides whether it is one. Deleted or replaced records cannot appear,
 * because SQLite overwrites them (`secure_delete`).
 */
const mostLocal = Math.floor(((pageBytes - 12) * 64) / 255) - 23;
const leastLocal = Math.floor(((pageBytes - 12) * 32) / 255) - 23;
const overflowBytes = pageBytes - 4;
const columns = 4;
/** The longest header of a payload: a byte for its length, and four for each column. */
const mostHeaderBytes = 1 + 4 * columns;
const decoder = new TextDecoder();

export interface AccountRecord extends StoredRecord {
  readonly account: string;
}

/** A salvaged record may be corrupt. Its reader detects that and keeps the intact items. */
export function salvageRecords(path: string): AccountRecord[] {
  const pages = readPages(path);
  const intact = new Map<string, AccountRecord>();
  const corrupt = new Map<string, AccountRecord>();
  const contradicted = new Set<string>();
  for (const page of pages.values()) {
    for (let at = 0; at + columns < pageBytes; at++) {
      const record = recordAt(page, at, pages);
      if (record === undefined) continue;
      const key = `${record.account}\0${record.kind}\0${record.name}`;
      if (!isIntact(record)) {
        corrupt.set(key, record);
        continue;
      }
      const other = intact.get(key);
      if (other !== undefined && Buffer.compare(other.bytes, record.bytes) !== 0) {
        contradicted.add(key);
      }
      intact.set(key, record);
    }
  }
  // If two intact records have the same key, one is older, but nothing shows which.
  for (const key of contradicted) intact.delete(key);
  // The account name of a corrupt record may be corrupt, too. It is accepted only if an intact
  // record has the same account.
  const accounts = new Set([...intact.values()].map(({ account }) => account));
  for (const [key, record] of corrupt) {
    if (!intact.has(key) && !contradicted.has(key) && accounts.has(record.account)) {
      intact.set(key, record);
    }
  }
  return [...intact.values()];
}

/** Whether the bytes were written under this key, in any version of the format. */
export function isIntact({ account, kind, name, bytes }: AccountRecord): boolean {
  return succeeds(() => unseal(account, { kind, name }, bytes, bytes[0]));
}

/** Pages from 1. Those in the log replace those in the file. Truncated ones end in zeros. */
function readPages(path: string): Map<number, Buffer> {
  const pages = new Map<number, Buffer>();
  const file = readFileSync(path);
  for (let from = 0; from < file.length; from += pageBytes) {
    const part = file.subarray(from, from + pageBytes);
    const page = part.length === pageBytes ? part : Buffer.concat([part], pageBytes);
    pages.set(from / pageBytes + 1, page);
  }
  for (const [number, page] of logPages(`${path}-wal`)) pages.set(number, page);
  return pages;
}

/** The record whose cell begins at this offset; undefined if there is none. */
function recordAt(
  page: Buffer,
  at: number,
  pages: ReadonlyMap<number, Buffer>,
): AccountRecord | undefined {
  const cell = new Varints(page, at);
  const size = cell.next();
  const start = cell.at;
  // This test alone excludes most offsets.
  if (!((page[start] ?? 0) < mostHeaderBytes)) return undefined;
  const headerSize = cell.next();
  const types = [cell.next(), cell.next(), cell.next(), cell.next()] as const;
  if (cell.at - start !== headerSize) return undefined;
  const [account, kind, name, bytes] = types;
  const areTexts = [account, kind, name].every((type) => type >= 13 && type % 2 === 1);
  if (!areTexts || bytes < 12 || bytes % 2 === 1) return undefined;
  const lengths = types.map((type) => Math.floor((type - 12) / 2));
  const total = lengths.reduce((sum, length) => sum + length, headerSize);
  if (total !== size || size > pages.size * pageBytes) return undefined;
  const payload = payloadAt(page, start, size, pages);
  let end = headerSize;
  const values = lengths.map((length) => {
    end += length;
    return payload.subarray(end - length, end);
  });
  const text = (column: number) => decoder.decode(values[column]);
  return {
    account: text(0),
    kind: text(1),
    name: text(2),
    bytes: values[3] ?? new Uint8Array(),
  };
}

/** The payload, `size` bytes long. Bytes of missing pages are zeros. */
function payloadAt(
  page: Buffer,
  start: number,
  size: number,
  pages: ReadonlyMap<number, Buffer>,
): Buffer {
  const local = localSize(size);
  const payload = Buffer.alloc(size);
  page.copy(payload, 0, start, Math.min(start + local, pageBytes));
  if (local === size || start + local + 4 > pageBytes) return payload;
  let next = page.readUInt32BE(start + local);
  for (let at = local; at < size; at += overflowBytes) {
    const overflow = pages.get(next);
    if (overflow === undefined) break;
    overflow.copy(payload, at, 4, 4 + Math.min(overflowBytes, size - at));
    next = overflow.readUInt32BE(0);
  }
  return payload;
}

/** The number of bytes of a payload that are in the cell itself. */
function localSize(size: number): number {
  if (size <= mostLocal) return size;
  const rest = leastLocal + ((size - leastLocal) % overflowBytes);
  return rest <= mostLocal ? rest : leastLocal;
}

/** SQLite's varints: seven bits per byte, highest first; NaN if longer than four bytes. */
class Varints {
  at: number;
  readonly #page: Buffer;

  constructor(page: Buffer, at: number) {
    this.#page = page;
    this.at = at;
  }

  next(): number {
    let value = 0;
    for (let count = 0; count < 4; count++) {
      const byte = this.#page[this.at++] ?? 0x80;
      value = value * 0x80 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  }
}
