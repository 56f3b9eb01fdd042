import { type Checksum, type Chunk, joinedChecksum } from '../../lib/gzip-member.ts';
import { type FamilyText, joinBytes } from './family-text.ts';

/** Smaller texts are joined: writing a chunk costs as much as copying some kilobytes. */
const minChunkBytes = 64 * 1024;

/** The bytes of plain text that are inflated at once, which takes about a millisecond. */
const minPlainBytes = 2 ** 19;

/** The selected part of a page as the bytes of a response; immutable. */
export class PreparedText implements Checksum {
  readonly length: number;
  readonly crc: number;
  readonly shift: number;
  /** Compressed bytes. */
  readonly size: number;
  readonly series: number;
  readonly #texts: readonly FamilyText[];
  #gzip: readonly Chunk[] | undefined;
  #plain: readonly Chunk[] | undefined;

  constructor(texts: readonly FamilyText[]) {
    const { length, crc, shift } = joinedChecksum(texts);
    this.length = length;
    this.crc = crc;
    this.shift = shift;
    this.size = texts.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.series = texts.reduce((sum, { series }) => sum + series, 0);
    this.#texts = texts;
  }

  /** Chunks to write. */
  get gzip(): readonly Chunk[] {
    this.#gzip ??= joinSmall(this.#texts, ({ bytes }) => bytes.length, minChunkBytes);
    return this.#gzip;
  }

  /** Chunks to inflate one by one. */
  get plain(): readonly Chunk[] {
    const parts = () => this.#texts.flatMap((text) => text.partsOf(minPlainBytes));
    this.#plain ??= joinSmall(parts(), ({ length }) => length, minPlainBytes);
    return this.#plain;
  }
}

/** Joins neighbours below a size. */
function joinSmall(
  chunks: readonly Chunk[],
  sizeOf: (chunk: Chunk) => number,
  minSize: number,
): readonly Chunk[] {
  const joined: Chunk[] = [];
  let [small, size]: [Chunk[], number] = [[], 0];
  const flush = () => {
    const [only, ...others] = small;
    if (only !== undefined) joined.push(others.length === 0 ? only : join(small));
    [small, size] = [[], 0];
  };
  for (const chunk of chunks) {
    if (sizeOf(chunk) >= minSize) flush();
    small.push(chunk);
    size += sizeOf(chunk);
    if (size >= minSize) flush();
  }
  flush();
  return joined;
}

function join(chunks: readonly Chunk[]): Chunk {
  return {
    bytes: joinBytes(chunks.map(({ bytes }) => bytes)),
    length: chunks.reduce((sum, { length }) => sum + length, 0),
  };
}
