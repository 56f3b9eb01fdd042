import { closeSync, constants, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { amount, flag, struct, text } from '../format/readers.ts';
import { ownersFile } from './file-modes.ts';

export const noteName = 'uptime.note';
/** One sector. After a power failure, the file has either its previous content or the new one. */
const noteBytes = 512;
const syncMilliseconds = 3_600_000;

export interface Note {
  /** The id of the store. */
  readonly id: string;
  /** The number of the last commit that was acknowledged. */
  readonly serial: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The store was closed after this commit. */
  readonly isClosed: boolean;
  /** The inode of the database, which a copy does not share. */
  readonly inode: string;
}

const readNote = struct<Note>({
  id: text,
  serial: amount,
  at: amount,
  isClosed: flag,
  inode: text,
});

/**
 * A small file next to the database with the number of the last commit. It is not part of a backup,
 * so it reveals that a restored database is older. It is overwritten in place after each commit,
 * which needs no space on a full disk. It is synced once an hour: after a `kill -9` it is exact;
 * after a power failure it is at most an hour old, and never ahead of the database.
 */
export class StoreNote {
  readonly #path: string;
  #syncedAt = Number.NEGATIVE_INFINITY;

  /** The folder of the store. */
  constructor(folder: string) {
    this.#path = join(folder, noteName);
  }

  /** Undefined when it is absent or corrupt. */
  read(): Note | undefined {
    const bytes = Buffer.alloc(noteBytes);
    try {
      const file = openSync(this.#path, 'r');
      try {
        readSync(file, bytes, 0, noteBytes, 0);
      } finally {
        closeSync(file);
      }
      const [sum, text] = bytes.toString('utf8').split('\n');
      if (text === undefined || sum !== sumOf(text)) return undefined;
      return readNote(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  /** A commit succeeds even if its note cannot be written. */
  write(note: Note): void {
    const text = JSON.stringify(note);
    const bytes = Buffer.alloc(noteBytes, ' ');
    bytes.write(`${sumOf(text)}\n${text}\n`);
    try {
      const file = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, ownersFile);
      try {
        writeSync(file, bytes, 0, noteBytes, 0);
        // `Math.abs`, so that it also syncs after the clock was set back.
        const isDue = Math.abs(note.at - this.#syncedAt) >= syncMilliseconds;
        if (isDue || note.isClosed) {
          fsyncSync(file);
          this.#syncedAt = note.at;
        }
      } finally {
        closeSync(file);
      }
    } catch {
      // The next commit writes it again.
    }
  }
}

function sumOf(text: string): string {
  return crc32(text).toString(16);
}
