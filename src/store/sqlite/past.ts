import type { StoreRecord } from '../format/store-record.ts';
import type { Note } from './store-note.ts';

/** A closed store that is copied and used within this time was moved; later, restored. */
const movedWithinMilliseconds = 3_600_000;

interface Evidence {
  /** The record in the database; undefined if it cannot be read. */
  readonly record: StoreRecord | undefined;
  /** The note next to the database. */
  readonly note: Note | undefined;
  /** The current inode of the database; undefined on file systems that may change inodes. */
  readonly inode: string | undefined;
  readonly nowMilliseconds: number;
}

/**
 * Why the totals of a database may be older than the ones already shown; undefined if they are
 * current. If a counter steps back to an older value, Prometheus sees a reset and counts that value
 * again.
 */
export function whyPast({ record, note, inode, nowMilliseconds }: Evidence): string | undefined {
  if (record === undefined) return 'the number of its last commit cannot be read';
  if (record.isCopy === true) return 'it is a backup';
  if (note === undefined) return 'the note beside it is missing or corrupt';
  if (note.id !== record.id) return 'the note beside it is of another store';
  if (record.serial < note.serial) {
    return `its last ${note.serial - record.serial} commits are missing`;
  }
  if (inode === undefined || inode === note.inode) return undefined;
  if (!note.isClosed) return 'it was copied while it was in use';
  const isMoved = Math.abs(nowMilliseconds - note.at) < movedWithinMilliseconds;
  return isMoved ? undefined : 'it was copied, and used more than an hour later';
}
