import { crc32 } from 'node:zlib';

/**
 * The version of all records of a store. A change that makes older records unreadable must raise it,
 * so that they are refused instead of lost. From the first release on, it also needs a migration
 * (migrations.ts).
 */
export const formatVersion = 3;

/** The key of a record within its account, the same in every backend. */
export interface RecordKey {
  /** The content, such as `check states` or `document`. */
  readonly kind: string;
  /** The number of a chunk, or the name of a document. */
  readonly name: string;
}

/** A text that differs for every key. */
export function keyText({ kind, name }: RecordKey): string {
  return `${kind}\0${name}`;
}

/** A record in a backend: sealed bytes under a key. */
export interface StoredRecord extends RecordKey {
  readonly bytes: Uint8Array;
}

/** A record to write; `null` deletes it. */
export interface RecordWrite extends RecordKey {
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

/** Before the payload: a byte for the version, and four for the checksum (little endian). */
export const sealBytes = 5;

/** Thrown when the bytes differ from those that were written under this key. */
export class CorruptRecordError extends Error {}

/**
 * Completes a record whose payload begins after `sealBytes` empty bytes. The checksum covers the
 * account and the key, too, so that a record under a wrong account or name is not accepted.
 */
export function seal(
  account: string,
  key: RecordKey,
  bytes: Uint8Array<ArrayBuffer>,
  version: number = formatVersion,
): Uint8Array<ArrayBuffer> {
  bytes[0] = version;
  viewOf(bytes).setUint32(1, checksum(account, key, bytes), true);
  return bytes;
}

/** The checksum in the seal of a record; 0 if the record is too short. */
export function checksumOf(bytes: Uint8Array): number {
  return bytes.length < sealBytes ? 0 : viewOf(bytes).getUint32(1, true);
}

/** The payload of an intact record. Throws a `CorruptRecordError`. */
export function unseal(
  account: string,
  key: RecordKey,
  bytes: Uint8Array,
  version: number = formatVersion,
): Uint8Array {
  if (bytes.length < sealBytes) throw new CorruptRecordError('it is too short');
  if (checksumOf(bytes) !== checksum(account, key, bytes)) {
    throw new CorruptRecordError('its checksum does not match');
  }
  if (bytes[0] !== version) throw new CorruptRecordError(`its version is ${bytes[0]}`);
  return bytes.subarray(sealBytes);
}

function checksum(account: string, { kind, name }: RecordKey, bytes: Uint8Array): number {
  const key = crc32(`${account}\0${kind}\0${name}\0${bytes[0]}`);
  return crc32(bytes.subarray(sealBytes), key);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
