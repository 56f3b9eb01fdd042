import type { Block } from './block.ts';

/** Neighbouring blocks, or part of them, as one run of bytes. */
export interface JoinedBlocks {
  /** Bytes of the plain text. */
  readonly length: number;
  readonly gzip: Uint8Array;
}

/** Blocks in one buffer: a scrape with gzip writes it as it is, one without inflates it piece by piece. */
export interface PreparedBlocks extends JoinedBlocks {
  readonly pieces: readonly JoinedBlocks[];
}

/** Plain bytes from which a piece is large enough. */
const enoughBytes = 2 ** 19;

export function joinBlocks(blocks: readonly Block[]): PreparedBlocks {
  let bytes = 0;
  for (const { gzip } of blocks) bytes += gzip.length;
  const whole = new Uint8Array(bytes);
  const pieces: JoinedBlocks[] = [];
  let total = 0;
  let [start, end, length] = [0, 0, 0];
  const endPiece = () => {
    if (length > 0) pieces.push({ length, gzip: whole.subarray(start, end) });
    total += length;
    [start, length] = [end, 0];
  };
  for (const block of blocks) {
    whole.set(block.gzip, end);
    end += block.gzip.length;
    length += block.length;
    if (length >= enoughBytes) endPiece();
  }
  endPiece();
  return { length: total, gzip: whole, pieces };
}
