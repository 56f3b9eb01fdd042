import { crcOfText, type RowKey, type StoredRow } from '../format/row.ts';
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
  /** The file could not be used and was moved. The new file is empty. */
  | { readonly kind: 'set-aside'; readonly reason: string; readonly movedTo: string }
  /** Nothing can be written, so a copy is served. */
  | { readonly kind: 'read-only'; readonly reason: string }
  /** The log could not be read and was moved. The database continues without it. */
  | { readonly kind: 'log-unreadable'; readonly reason: string; readonly movedTo: string }
  /** Unclosed, with a last commit long ago: a snapshot of the volume may have been restored. */
  | { readonly kind: 'not-closed'; readonly lastCommit: number };

/** Some rows of one kind. The buffer is transferred between threads without a copy. */
export interface RowGroup extends Pick<RowKey, 'table' | 'kind'> {
  /** A line for each row: its id, its checksum and its body. */
  readonly lines: Uint8Array<ArrayBuffer>;
}

/** An account as the thread reads it. */
export interface OpenedAccount {
  readonly groups: readonly RowGroup[];
  /** Why the rows may be older than the totals already shown. */
  readonly past?: string;
}

export interface Failure {
  readonly reason: StoreErrorReason;
  readonly message: string;
}

/** The first response. */
export interface Opened {
  readonly id: string;
  readonly notices: readonly Notice[];
}

/** The responses, in the order of the requests. */
export type WorkerResponse = { readonly result: unknown } | { readonly failure: Failure };

/** The rows of groups, without a copy of their bodies. */
export function* unpack(groups: readonly RowGroup[]): Generator<StoredRow> {
  for (const { table, kind, lines } of groups) {
    const all = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
    for (let from = 0; from < all.length; ) {
      const next = all.indexOf('\n', from);
      const end = next === -1 ? all.length : next;
      const crcAt = all.indexOf(' ', from) + 1;
      const bodyAt = all.indexOf(' ', crcAt) + 1;
      const [id, crc] = [
        all.toString('latin1', from, crcAt - 1),
        all.toString('latin1', crcAt, bodyAt - 1),
      ];
      yield { table, kind, id: Number(id), crc: crcOfText(crc), body: all.subarray(bodyAt, end) };
      from = end + 1;
    }
  }
}

export function sizeOfGroups(groups: readonly RowGroup[]): number {
  return groups.reduce((sum, { lines }) => sum + lines.length, 0);
}
