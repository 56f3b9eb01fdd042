import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** What a gzip member records about its text, in a form that can be computed from parts. */
export interface Checksum {
  /** Bytes of the plain text. */
  readonly length: number;
  /** CRC-32 as a signed integer, which V8 keeps without an object of its own. */
  readonly crc: number;
  /** x^(8 × length): the factor by which this text moves the CRC-32 of the text before it. */
  readonly shift: number;
}

/** Compressed text, and the length of the plain text in bytes. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/**
 * Text that is compressed by itself: raw deflate that ends with a full flush (RFC 1951), so that it
 * refers to no other text and ends at a byte. In any order, such parts make one gzip member.
 */
export interface Deflated extends Checksum, Chunk {}

/**
 * Most texts are a few kilobytes, so a small window compresses almost as well. The default window
 * takes 260 kB per call, which triggers garbage collections.
 */
const compression = {
  level: constants.Z_BEST_SPEED,
  windowBits: 12,
  memLevel: 5,
  chunkSize: 2048,
  finishFlush: constants.Z_FULL_FLUSH,
};

/**
 * Compresses many texts. They are encoded into one buffer: a buffer for each would be external
 * memory, for which V8 collects the whole heap several times per large page.
 */
export class Deflater {
  #scratch = Buffer.alloc(64 * 1024);

  deflate(text: string): Deflated {
    // UTF-8 has at most three bytes for each UTF-16 unit.
    if (this.#scratch.length < 3 * text.length) this.#scratch = Buffer.alloc(6 * text.length);
    const plain = this.#scratch.subarray(0, this.#scratch.write(text));
    // A copy, because zlib returns a view of a larger buffer, which would stay in memory.
    const bytes = new Uint8Array(deflateRawSync(plain, compression));
    return { bytes, length: plain.length, crc: crc32(plain) | 0, shift: shiftBy(plain.length) };
  }
}

/** Returns the plain text of one part, or of several whose bytes are joined. */
export function inflate({ bytes, length }: Chunk): Buffer {
  const chunkSize = Math.max(64, length);
  // The last block of deflate is missing, which is an error by default.
  return inflateRawSync(bytes, { chunkSize, finishFlush: constants.Z_SYNC_FLUSH });
}

const nothing: Checksum = { length: 0, crc: 0, shift: 1 << 31 };

/** Returns the checksum of texts that follow one another. */
export function joinedChecksum(parts: Iterable<Checksum>): Checksum {
  let { length, crc } = nothing;
  for (const part of parts) {
    crc = multiply(part.shift, crc) ^ part.crc;
    length += part.length;
  }
  return { length, crc, shift: shiftBy(length) };
}

/**
 * Returns the bytes of texts that follow one another as one gzip member, from their compressed bytes
 * and checksums.
 */
export function gzipMember(
  texts: readonly Uint8Array[],
  checksums: Iterable<Checksum>,
): readonly Uint8Array[] {
  return [memberStart, ...texts, memberEnd(joinedChecksum(checksums))];
}

/** The header of a gzip member: deflate, no name, no time, fastest, Unix (RFC 1952). */
const memberStart: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3);

/** Returns the bytes after the last part of a gzip member: a last, empty block and the checksum. */
export function memberEnd({ length, crc }: Checksum): Uint8Array {
  const end = Buffer.of(3, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  end.writeInt32LE(crc, 2);
  end.writeUInt32LE(length % 2 ** 32, 6);
  return end;
}

/** The polynomial of CRC-32. The highest bit is the coefficient of x^0. */
const polynomial = 0xedb88320 | 0;

/** Returns the product of two polynomials modulo that of CRC-32. */
function multiply(one: number, other: number): number {
  let product = 0;
  let factor = other;
  for (let rest = one; rest !== 0; rest <<= 1) {
    if (rest < 0) product ^= factor;
    factor = (factor >>> 1) ^ (factor & 1 ? polynomial : 0);
  }
  return product;
}

/** x^(2^n) for each n below 32; then they repeat. */
const powers: readonly number[] = Array.from({ length: 31 }).reduce<number[]>(
  (all) => [...all, multiply(all.at(-1) ?? 0, all.at(-1) ?? 0)],
  [1 << 30],
);

function shiftBy(bytes: number): number {
  let { shift } = nothing;
  // 8 is 2^3.
  for (let rest = bytes, power = 3; rest > 0; rest = Math.floor(rest / 2), power++) {
    if (rest % 2 === 1) shift = multiply(powers[power % 32] ?? 0, shift);
  }
  return shift;
}
