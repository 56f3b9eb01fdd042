import { hash } from 'node:crypto';
import { type Checksum, type Chunk, type Deflated, joinedChecksum } from '../../lib/gzip-member.ts';
import type { SampleWriter } from '../text-format.ts';

/** Sample lines of neighbouring rows in one family. */
export interface Block extends Deflated {
  readonly series: number;
  /** Identifies the text; absent where it is never compared. */
  readonly digest?: string | undefined;
}

interface JoinedBlock extends Checksum {
  readonly series: number;
  readonly digest?: string | undefined;
  /** Compressed bytes. */
  readonly size: number;
}

/**
 * The compressed text of one family: blocks, one per range of rows, whose bytes are joined. A
 * scrape writes one buffer per family, at a fifth of the cost of writing the blocks one by one.
 * Immutable, so that a scrape in progress is not affected by later changes.
 */
export class FamilyText implements Block {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly crc: number;
  readonly shift: number;
  readonly series: number;
  /** A range without samples has no block. */
  readonly #blocks: readonly (JoinedBlock | undefined)[];

  private constructor(bytes: Uint8Array, blocks: readonly (JoinedBlock | undefined)[]) {
    const present = blocks.filter((block) => block !== undefined);
    const { length, crc, shift } = joinedChecksum(present);
    this.bytes = bytes;
    this.length = length;
    this.crc = crc;
    this.shift = shift;
    this.series = present.reduce((sum, { series }) => sum + series, 0);
    this.#blocks = blocks;
  }

  static readonly empty = new FamilyText(new Uint8Array(0), []);

  static of(block: Block): FamilyText {
    return FamilyText.empty.with(new Map([[0, block]]), 1);
  }

  /** The digest of the text of a range; undefined without samples. */
  digestOf(range: number): string | undefined {
    return this.#blocks[range]?.digest;
  }

  /** Returns the text of as many ranges, with other blocks for some of them. */
  with(changes: ReadonlyMap<number, Block | undefined>, ranges: number): FamilyText {
    const parts: Uint8Array[] = [];
    const blocks: (JoinedBlock | undefined)[] = [];
    let [end, copied] = [0, 0];
    for (let range = 0; range < ranges; range++) {
      const before = this.#blocks[range];
      const block = changes.get(range);
      const isChanged = changes.has(range);
      if (isChanged) parts.push(this.bytes.subarray(copied, end));
      if (block !== undefined) parts.push(block.bytes);
      end += before?.size ?? 0;
      if (isChanged) copied = end;
      blocks.push(isChanged ? block && joinedBlock(block) : before);
    }
    parts.push(this.bytes.subarray(copied, end));
    return new FamilyText(joinBytes(parts), blocks);
  }

  /** Returns the parts that have at least so many bytes of plain text, except the last one. */
  partsOf(minLength: number): Chunk[] {
    const parts: Chunk[] = [];
    let [start, end, length] = [0, 0, 0];
    for (const [range, block] of this.#blocks.entries()) {
      end += block?.size ?? 0;
      length += block?.length ?? 0;
      if (length < minLength && range < this.#blocks.length - 1) continue;
      parts.push({ bytes: this.bytes.subarray(start, end), length });
      [start, length] = [end, 0];
    }
    return parts;
  }
}

/**
 * The block without its bytes, which are part of the joined ones. Field by field: Node.js 20 gives
 * each object that is made of the rest of another a hidden class of its own.
 */
function joinedBlock({ bytes, length, crc, shift, series, digest }: Block): JoinedBlock {
  return { length, crc, shift, series, digest, size: bytes.length };
}

/** Identifies a text, which itself would take its memory again; undefined without samples. */
export function digestOf({ series, text }: SampleWriter): string | undefined {
  return series === 0 ? undefined : hash('sha1', text, 'base64');
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    joined.set(part, end);
    end += part.length;
  }
  return joined;
}
