import type { RecordWrite, StoredRecord } from '../format/record.ts';
import type { StoreErrorReason } from '../store-error.ts';

/** The options of the database's thread. */
export interface WorkerOptions {
  /** The folder of the store. */
  readonly path: string;
  /** The end of a corrupt file's new name, unique for each start. */
  readonly suffix: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A file keeps its inode. This is not true on every network file system. */
  readonly hasInodes: boolean;
}

/** A fact about the opening that the operator should know. */
export type Notice =
  /** The file could not be used and was moved. The new file has its readable records. */
  | {
      readonly kind: 'quarantined';
      readonly reason: string;
      readonly movedTo: string;
      readonly salvaged: number;
    }
  /** Nothing can be written, so a copy is served. */
  | { readonly kind: 'read-only'; readonly reason: string }
  /** The log could not be read and was moved. The database continues without it. */
  | { readonly kind: 'log-unreadable'; readonly reason: string; readonly movedTo: string }
  /** Unclosed, with a last commit long ago: a snapshot of the volume may have been restored. */
  | { readonly kind: 'not-closed'; readonly lastCommit: number };

export type Request =
  | { readonly call: 'accounts' }
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

/** Several records in one buffer, which is transferred between threads without a copy. */
export interface PackedRecords {
  readonly keys: readonly (readonly [kind: string, name: string, end: number])[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An account as the thread reads it. */
export interface OpenedAccount extends PackedRecords {
  /** Why the records may be older than the totals already shown. */
  readonly past?: string;
}

interface Failure {
  readonly reason: StoreErrorReason;
  readonly message: string;
}

/** The responses, in the order of the requests. The first one has the notices. */
export type WorkerResponse = { readonly result: unknown } | { readonly failure: Failure };

/** Splits the buffer into its records, without a copy. */
export function unpack({ keys, bytes }: PackedRecords): StoredRecord[] {
  return keys.map(([kind, name, end], place) => ({
    kind,
    name,
    bytes: bytes.subarray(keys[place - 1]?.[2] ?? 0, end),
  }));
}
