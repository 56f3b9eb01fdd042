import { readFileSync } from 'node:fs';
import { codeOf } from '../../lib/error-text.ts';

/** The page size of the exporter's databases, in bytes. */
export const pageBytes = 4096;
/* The format: sqlite.org/fileformat2.html, section 4. */
const headerBytes = 32;
const frameHeaderBytes = 24;
const salts = { header: 16, frame: 8, bytes: 8 };

/**
 * The pages in a write-ahead log by number, each in its last version. Frames of an earlier log,
 * which follow the current ones, have other salts. Checksums of frames are not verified, because
 * every record has its own.
 */
export function logPages(path: string): Map<number, Buffer> {
  const pages = new Map<number, Buffer>();
  const log = readIfThere(path);
  const salt = log.subarray(salts.header, salts.header + salts.bytes);
  const step = frameHeaderBytes + pageBytes;
  for (let at = headerBytes; at + step <= log.length; at += step) {
    const own = log.subarray(at + salts.frame, at + salts.frame + salts.bytes);
    if (own.equals(salt))
      pages.set(log.readUInt32BE(at), log.subarray(at + frameHeaderBytes, at + step));
  }
  return pages;
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return Buffer.alloc(0);
  }
}
