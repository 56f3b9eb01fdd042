import { closeSync, openSync, readSync } from 'node:fs';

/*
 * SQLite reads a write-ahead log up to the first frame that is not whole, and drops the rest without a word: right for a
 * commit that a crash cut short, wrong for one damaged later. Places and sums: sqlite.org/fileformat2.html, section 4.
 */
const headerBytes = 32;
/** Of the pages that are written; a log says in its header how long its own are. */
export const pageBytes = 4096;
const frameHeaderBytes = 24;
const mostFormerLogs = 2 ** 20;
const magics: readonly number[] = [0x377f0682, 0x377f0683];

export interface LogContents {
  /** How many frames lie behind the place where SQLite will stop reading, a part of a frame included. */
  readonly unreadableFrames: number;
  /** What SQLite will read, by the number of the page. */
  readonly pages: ReadonlyMap<number, Buffer>;
}

/** A log that is not there is empty. Throws the error of the system when it cannot be read. */
export function readLog(walPath: string): LogContents {
  const pages = new Map<number, Buffer>();
  let file: number;
  try {
    file = openSync(walPath, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { unreadableFrames: 0, pages };
  }
  try {
    return { unreadableFrames: readFrames(file, pages), pages };
  } finally {
    closeSync(file);
  }
}

/** Answers how many are not read. */
function readFrames(file: number, pages: Map<number, Buffer>): number {
  const header = Buffer.alloc(headerBytes);
  const size = readSync(file, header, 0, headerBytes, 0);
  if (size === 0) return 0;
  const big = header.readUInt32BE(0) === magics[1];
  let sums = add([0, 0], header.subarray(0, 24), big);
  let isRead =
    size === headerBytes &&
    magics.includes(header.readUInt32BE(0)) &&
    sums[0] === header.readUInt32BE(24) &&
    sums[1] === header.readUInt32BE(28);
  const isSound = isRead;
  const frame = Buffer.alloc(frameHeaderBytes + (isSound ? header.readUInt32BE(8) : pageBytes));
  // Frames behind the last one that ends a transaction are not read either.
  const sinceCommit: [number, Buffer][] = [];
  let unread = 0;
  for (let at = headerBytes; ; at += frame.length) {
    const length = readSync(file, frame, 0, frame.length, at);
    if (length === 0) return unread + sinceCommit.length + (isSound ? 0 : 1);
    if (isSound && isOfFormerLog(frame, header)) return unread + sinceCommit.length;
    if (isRead) {
      const next = add(add(sums, frame.subarray(0, 8), big), frame.subarray(frameHeaderBytes), big);
      isRead =
        length === frame.length &&
        frame.compare(header, 16, 24, 8, 16) === 0 &&
        next[0] === frame.readUInt32BE(16) &&
        next[1] === frame.readUInt32BE(20);
      sums = next;
    }
    if (!isRead) {
      unread += 1;
      continue;
    }
    sinceCommit.push([frame.readUInt32BE(0), Buffer.from(frame.subarray(frameHeaderBytes))]);
    // A frame that ends a transaction tells the size of the database.
    if (frame.readUInt32BE(4) === 0) continue;
    for (const [number, page] of sinceCommit.splice(0)) pages.set(number, page);
  }
}

/** When a log begins anew over a former one, the first of its two salts grows by one. */
function isOfFormerLog(frame: Buffer, header: Buffer): boolean {
  const age = (header.readUInt32BE(16) - frame.readUInt32BE(8)) >>> 0;
  return age > 0 && age < mostFormerLogs;
}

function add([a, b]: readonly [number, number], bytes: Buffer, big: boolean): [number, number] {
  let [first, second] = [a, b];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    const x = big ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const y = big ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    first = (first + x + second) >>> 0;
    second = (second + y + first) >>> 0;
  }
  return [first, second];
}
