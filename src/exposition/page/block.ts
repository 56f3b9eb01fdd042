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
  /** Always the same bytes; joined with those of its neighbours, they lie in a buffer of the piece. */
  gzip: Uint8Array;
}

/**
 * A block is a few kilobytes, so a small window loses next to nothing. The default one is 260 kB of
 * memory for each call, which the garbage collector counts, and collects for.
 */
const compression = { level: constants.Z_BEST_SPEED, windowBits: 12, memLevel: 5, chunkSize: 2048 };

export function makeBlock(text: string, series = 0): Block {
  return compressed(Buffer.from(text), series);
}

/**
 * Makes many blocks. Their text is encoded in one place again and again: a buffer for each would be memory
 * outside of the heap, for which the garbage collector walks all of it, several times for a large page.
 */
export class BlockMaker {
  #scratch = Buffer.alloc(64 * 1024);

  make(text: string, series: number): Block {
    // UTF-8 has at most three bytes for each unit of UTF-16.
    if (this.#scratch.length < 3 * text.length) this.#scratch = Buffer.alloc(6 * text.length);
    return compressed(this.#scratch.subarray(0, this.#scratch.write(text)), series);
  }
}

function compressed(plain: Uint8Array, series: number): Block {
  const gzip = gzipSync(plain, compression);
  // What zlib returns is a view of a larger buffer, which it would keep alive: hence the copy.
  return { series, length: plain.length, gzip: new Uint8Array(gzip) };
}

export function holdsText({ length, gzip }: Block, text: string): boolean {
  return Buffer.byteLength(text) === length && gunzipSync(gzip).equals(Buffer.from(text));
}
