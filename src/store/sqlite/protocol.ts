import type { RecordWrite, StoredRecord } from '../format/record.ts';
import type { StoreErrorReason } from '../store-error.ts';

/** The options of the database's thread. */
export interface WorkerOptions {
  /** The folder of the store. */
  readonly path: string;
  /** Ends the name of a corrupt file that is moved aside, such as the time: unique per start. */
  readonly suffix: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether a file keeps its inode: not on every network file system. */
  readonly hasInodes: boolean;
}

/** Something that a person should know about the opening. */
export type Notice =
  /** The file could not be used and was moved; the records that could be read are in the new one. */
  | {
      readonly kind: 'quarantined';
      readonly reason: string;
      readonly movedTo: string;
      readonly salvaged: number;
    }
  /** Nothing can be written: a copy is served. */
  | { readonly kind: 'read-only'; readonly reason: string }
  /** The log cannot be read and was moved; the database goes on without it. */
  | { readonly kind: 'log-unreadable'; readonly reason: string; readonly movedTo: string }
  /** The last process did not close the store, and that was long ago: perhaps the snapshot of a volume was restored. */
  | { readonly kind: 'not-closed'; readonly lastCommit: number };

export type Request =
  | { readonly call: 'open'; readonly account: string }
  | {
      readonly call: 'commit';
      readonly account: string;
      readonly writes: readonly RecordWrite[];
      readonly beginsAgain: boolean;
      /** Milliseconds since 1970. */
      readonly now: number;
    }
  | { readonly call: 'backup'; readonly suffix: string }
  | { readonly call: 'close'; readonly now: number };

/** Many records in one buffer, which is handed over without a copy. */
export interface PackedRecords {
  readonly keys: readonly (readonly [kind: string, name: string, end: number])[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An account as the thread reads it. */
export interface OpenedAccount extends PackedRecords {
  /** Why the records may be older than what was shown. */
  readonly past?: string;
}

export interface Failure {
  readonly reason: StoreErrorReason;
  readonly message: string;
}

/** To each request, in order; the first reply answers the opening with its notices. */
export type WorkerResponse = { readonly result: unknown } | { readonly failure: Failure };

/** The records of a packed answer. */
export function unpack({ keys, bytes }: PackedRecords): StoredRecord[] {
  return keys.map(([kind, name, end], place) => ({
    kind,
    name,
    bytes: bytes.subarray(keys[place - 1]?.[2] ?? 0, end),
  }));
}
