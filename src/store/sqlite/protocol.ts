import type { RecordWrite, StoredRecord } from '../format/record.ts';
import type { StoreErrorReason } from '../store-error.ts';

/** What the thread of the database is started with. */
export interface WorkerOptions {
  /** The folder of the store. */
  readonly path: string;
  /** Ends the name that a damaged file is given, such as the time: unique per start. */
  readonly suffix: string;
}

/** Something that a person should know of the opening. */
export type Notice =
  /** The file could not be used and was moved; what could be read of it is in the new one. */
  | {
      readonly kind: 'quarantined';
      readonly reason: string;
      readonly movedTo: string;
      readonly salvaged: number;
    }
  /** Nothing can be written: a copy is served. */
  | { readonly kind: 'read-only'; readonly reason: string }
  /** The end of the log cannot be read: the last commits before a crash may be missing. */
  | { readonly kind: 'log-damaged'; readonly frames: number };

export type Request =
  | { readonly call: 'read'; readonly account: string }
  | { readonly call: 'write'; readonly account: string; readonly writes: readonly RecordWrite[] }
  | { readonly call: 'fingerprint' }
  | { readonly call: 'backup'; readonly suffix: string }
  | { readonly call: 'close' };

/** Many records in one buffer, which is handed over without a copy. */
export interface PackedRecords {
  readonly keys: readonly (readonly [kind: string, name: string, end: number])[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Failure {
  readonly reason: StoreErrorReason;
  readonly message: string;
}

/** To each request, in order; the first reply answers the opening with its notices. */
export type Reply = { readonly result: unknown } | { readonly failure: Failure };

/** The records of a packed answer. */
export function unpack({ keys, bytes }: PackedRecords): StoredRecord[] {
  return keys.map(([kind, name, end], place) => ({
    kind,
    name,
    bytes: bytes.subarray(keys[place - 1]?.[2] ?? 0, end),
  }));
}
