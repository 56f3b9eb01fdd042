import { crc32 } from 'node:zlib';
import { messageOf } from '../../lib/error-text.ts';

/**
 * The version of the rows of a store. A change that makes older rows unreadable must raise it. A
 * store of another version is refused and left as it is.
 */
export const formatVersion = 2;

/** Why rows of this version cannot be read, as the rest of a sentence; undefined if they can. */
export function whyUnknownFormat(version: number): string | undefined {
  if (version === formatVersion) return undefined;
  return (
    `has format ${version}, and this version reads format ${formatVersion}: ` +
    'install the version that wrote it, or choose another storage'
  );
}

export const tables = ['row', 'horizon'] as const;
/** The columns of the ids. */
export const idColumn: { readonly [T in RowKey['table']]: string } = { row: 'id', horizon: 'part' };

/** The key of a row within its account, the same in every engine. */
export interface RowKey {
  readonly table: (typeof tables)[number];
  /** The content, such as `check`, `check log` or `budget`. */
  readonly kind: string;
  /** The id of an item, the number of a document or a part; 0 for a single document. */
  readonly id: number;
}

/** The kind of the records of a month, such as `month 2026-10 check`. */
export type MonthKind = `month ${string} ${'check' | 'transaction'}`;

/** The kinds of months, and no others, begin with it. */
export const monthKindPrefix = 'month ';

/** Rows of months are not read when an account is opened, but in batches, when they are needed. */
export function isMonthKind(kind: string): kind is MonthKind {
  return kind.startsWith(monthKindPrefix);
}

/** A row as it was read. */
export interface StoredRow extends RowKey {
  /** UTF-8, or anything if it is corrupt. */
  readonly body: Uint8Array;
  readonly crc: number;
}

/** The size of their bodies. */
export function sizeOfRows(rows: readonly StoredRow[]): number {
  return rows.reduce((sum, { body }) => sum + body.length, 0);
}

/** A row to write: JSON and its checksum. Without a body, it is deleted. */
export interface RowWrite extends RowKey {
  readonly body: string | null;
  readonly crc: number;
}

/** Thrown when a row differs from what was written under its key. */
export class CorruptRowError extends Error {}

/** A text that differs for every key. */
export function keyText({ table, kind, id }: RowKey): string {
  return `${table}\0${kind}\0${id}`;
}

/** Throws a `CorruptRowError` for a number that is not finite: JSON cannot represent it. */
export function rowOf(account: string, key: RowKey, value: unknown): RowWrite {
  return rowOfText(account, key, textOf(value));
}

export function rowOfText(account: string, { table, kind, id }: RowKey, body: string): RowWrite {
  return { table, kind, id, body, crc: checksum(account, { table, kind, id }, body) };
}

export function deletion({ table, kind, id }: RowKey): RowWrite {
  return { table, kind, id, body: null, crc: 0 };
}

/** The value of an intact row. Throws a `CorruptRowError`. */
export function readBody(account: string, row: StoredRow): unknown {
  const { body, crc } = row;
  if (checksum(account, row, body) !== crc) {
    throw new CorruptRowError('its checksum does not match');
  }
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString());
  } catch (error) {
    throw new CorruptRowError(`it is not JSON: ${messageOf(error)}`, { cause: error });
  }
}

/** Covers the key as well, so that a row under a wrong account or key is not accepted. */
function checksum(account: string, key: RowKey, body: string | Uint8Array): number {
  return crc32(body, crc32(`${account}\0${keyText(key)}\0`));
}

/**
 * A checksum in a database: eight hexadecimal digits. SQLite needs four or six bytes for an integer,
 * and a row whose length changes may need a new page, which a full disk may not have.
 */
export function crcText(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}

export function crcOfText(text: string): number {
  return Number.parseInt(text, 16);
}

/** What `storable` changes or refuses: an escape sequence, or the `null` of `NaN`. */
const doubtful = /\\u|null/;

function textOf(value: unknown): string {
  const text = JSON.stringify(value);
  return doubtful.test(text) ? JSON.stringify(storable(value)) : text;
}

/**
 * The value with texts that a query can read: SQL functions reject a JSON text with a lone surrogate
 * or with U+0000. Both become U+FFFD.
 */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new CorruptRowError(`${value} is not a number that can be stored`);
  }
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [storable(name), storable(field)]),
  );
}
