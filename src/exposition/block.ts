import { constants, gunzipSync, gzipSync } from 'node:zlib';

/**
 * A piece of an exposition, kept compressed only: plain, a large page takes ten times the memory, and
 * scrapers ask for gzip. Each is a gzip member of its own, and members may be concatenated (RFC 1952,
 * section 2.2), so that pages share blocks.
 */
export interface Block {
  readonly series: number;
  /** Bytes of the plain text. */
  readonly length: number;
  readonly gzip: Uint8Array;
}

/**
 * A block is a few kilobytes, so a small window loses next to nothing. The default one is 260 kB of
 * memory for each call, which the garbage collector counts, and collects for.
 */
const compression = { level: constants.Z_BEST_SPEED, windowBits: 12, memLevel: 5, chunkSize: 2048 };

export function makeBlock(text: string, series = 0): Block {
  const plain = Buffer.from(text);
  const compressed = gzipSync(plain, compression);
  // What zlib returns is a view of a larger buffer, which it would keep alive: hence the copy.
  return { series, length: plain.length, gzip: new Uint8Array(compressed) };
}

export function holdsText({ length, gzip }: Block, text: string): boolean {
  return Buffer.byteLength(text) === length && gunzipSync(gzip).equals(Buffer.from(text));
}
