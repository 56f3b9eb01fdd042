import { constants, gunzipSync, gzipSync } from 'node:zlib';

/**
 * A block of an exposition, kept only compressed: plain, a large page takes ten times the memory,
 * and scrapers ask for gzip. Each block is a gzip member, and members may be concatenated (RFC
 * 1952, section 2.2), so that pages share blocks.
 */
export interface Block {
  readonly series: number;
  /** Bytes of the plain text. */
  readonly length: number;
  /** The bytes never change, but they become a view of a piece when blocks are joined. */
  gzip: Uint8Array;
}

/**
 * A block is a few kilobytes, so a small window compresses almost as well. The default window takes
 * 260 kB per call, which triggers garbage collections.
 */
const compression = { level: constants.Z_BEST_SPEED, windowBits: 12, memLevel: 5, chunkSize: 2048 };

export function makeBlock(text: string, series = 0): Block {
  return compressed(Buffer.from(text), series);
}

/**
 * Makes many blocks. Their text is encoded into one buffer: a buffer for each would be external
 * memory, for which V8 collects the whole heap several times per large page.
 */
export class BlockMaker {
  #scratch = Buffer.alloc(64 * 1024);

  make(text: string, series: number): Block {
    // UTF-8 has at most three bytes for each UTF-16 unit.
    if (this.#scratch.length < 3 * text.length) this.#scratch = Buffer.alloc(6 * text.length);
    return compressed(this.#scratch.subarray(0, this.#scratch.write(text)), series);
  }
}

function compressed(plain: Uint8Array, series: number): Block {
  const gzip = gzipSync(plain, compression);
  // A copy, because zlib returns a view of a larger buffer, which would stay in memory.
  return { series, length: plain.length, gzip: new Uint8Array(gzip) };
}

export function holdsText({ length, gzip }: Block, text: string): boolean {
  return Buffer.byteLength(text) === length && gunzipSync(gzip).equals(Buffer.from(text));
}
