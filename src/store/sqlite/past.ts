import type { StoreRecord } from '../format/store-record.ts';
import type { Note } from './store-note.ts';

/** A store that was closed and copied within this time was moved; after it, it was restored. */
const movedWithinMilliseconds = 3_600_000;

interface Evidence {
  /** What the database says of itself; undefined when that cannot be read. */
  readonly record: StoreRecord | undefined;
  /** What lies beside the database. */
  readonly note: Note | undefined;
  /** Of the database as it is now; undefined where inodes may change by themselves. */
  readonly inode: string | undefined;
  readonly nowMilliseconds: number;
}

/**
 * Why the totals of a database may be older than those that were shown; undefined when they are the last ones. Prometheus takes
 * a step from the highest value shown to an older one for a reset, and counts the older one again.
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
