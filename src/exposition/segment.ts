import type { Block } from './block.ts';

/** Neighbouring blocks of one family, joined so that a scrape writes a few large chunks. */
export interface Segment extends Block {
  readonly blocks: readonly Block[];
}

/** Plain bytes from which a segment is large enough: what a scrape without gzip inflates at a time. */
const enoughBytes = 2 ** 20;

/** Joins blocks; a former segment is shared as long as its blocks are the same. */
export function joinBlocks(
  blocks: readonly Block[],
  former: readonly Segment[] = [],
): readonly Segment[] {
  const formerByStart = new Map(former.map((segment) => [segment.blocks[0], segment]));
  const segments: Segment[] = [];
  let from = 0;
  let length = 0;
  for (const [index, block] of blocks.entries()) {
    length += block.length;
    if (length < enoughBytes && index < blocks.length - 1) continue;
    const part = blocks.slice(from, index + 1);
    const before = formerByStart.get(part[0]);
    segments.push(before !== undefined && isSame(before.blocks, part) ? before : joined(part));
    from = index + 1;
    length = 0;
  }
  return segments;
}

function joined(blocks: readonly Block[]): Segment {
  const [first] = blocks;
  return {
    blocks,
    series: blocks.reduce((sum, { series }) => sum + series, 0),
    length: blocks.reduce((sum, { length }) => sum + length, 0),
    gzip:
      first !== undefined && blocks.length === 1
        ? first.gzip
        : joinBytes(blocks.map((b) => b.gzip)),
  };
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function isSame(a: readonly Block[], b: readonly Block[]): boolean {
  return a.length === b.length && a.every((block, index) => block === b[index]);
}
