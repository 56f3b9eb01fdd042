import { RecentMap } from '../../lib/recent-map.ts';
import type { Block } from './block.ts';

/** A piece has at least this many bytes of plain text, so even large pages have few. */
const minPieceBytes = 2 ** 19;

/**
 * Neighbouring blocks: the unit in which a scrape with gzip is written, and one without gzip is
 * inflated. Their bytes are joined when first requested. Immutable.
 */
export class Piece {
  readonly blocks: readonly Block[];
  readonly series: number;
  /** Bytes of the plain text. */
  readonly length: number;
  readonly gzipLength: number;
  #gzip: Uint8Array | undefined;

  constructor(blocks: readonly Block[]) {
    let [series, length, gzipLength] = [0, 0, 0];
    for (const block of blocks) {
      series += block.series;
      length += block.length;
      gzipLength += block.gzip.length;
    }
    this.blocks = blocks;
    this.series = series;
    this.length = length;
    this.gzipLength = gzipLength;
  }

  get gzip(): Uint8Array {
    this.#gzip ??= this.#joined();
    return this.#gzip;
  }

  #joined(): Uint8Array {
    const [first, ...others] = this.blocks;
    if (first !== undefined && others.length === 0) return first.gzip;
    const whole = new Uint8Array(this.gzipLength);
    let end = 0;
    for (const block of this.blocks) {
      const start = end;
      end += block.gzip.length;
      whole.set(block.gzip, start);
      // The block refers to the joined bytes and drops its copy.
      block.gzip = whole.subarray(start, end);
    }
    return whole;
  }
}

/**
 * Groups blocks into pieces of a good size for a scrape. Cuts are between units of blocks, so that
 * a unit whose blocks changed does not move the cuts after it. An earlier piece with the same
 * blocks is reused, so a changed block costs only its own piece.
 */
export function piecesOf(
  units: readonly (readonly Block[])[],
  previous: readonly Piece[] = [],
): Piece[] {
  const previousByStart = new Map(previous.map((piece) => [piece.blocks[0], piece]));
  const measured = units.map((blocks) => ({
    blocks,
    length: blocks.reduce((sum, { length }) => sum + length, 0),
  }));
  return groupsOf(measured).map((group) => {
    const blocks = group.flatMap((unit) => unit.blocks);
    const before = previousByStart.get(blocks[0]);
    return before !== undefined && hasSame(before.blocks, blocks) ? before : new Piece(blocks);
  });
}

/** Returns the pieces with some of their blocks replaced; pieces without such blocks are reused. */
export function replaceBlocks(
  pieces: readonly Piece[],
  replaced: ReadonlyMap<Block, Block>,
): Piece[] {
  const outdated = [...replaced.keys()];
  return pieces.map((piece) => {
    const { blocks } = piece;
    // Comparing references reads no block; looking each block up in the map would read all of a
    // large page.
    if (!outdated.some((block) => blocks.includes(block))) return piece;
    return new Piece(blocks.map((block) => replaced.get(block) ?? block));
  });
}

/** Groups neighbours into runs of at least `minPieceBytes`, except the last run. */
function groupsOf<T extends { readonly length: number }>(entries: readonly T[]): T[][] {
  const groups: T[][] = [];
  let [group, length]: [T[], number] = [[], 0];
  for (const entry of entries) {
    group.push(entry);
    length += entry.length;
    if (length < minPieceBytes) continue;
    groups.push(group);
    [group, length] = [[], 0];
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

function hasSame<T>(some: readonly T[], others: readonly T[]): boolean {
  return some.length === others.length && some.every((entry, index) => entry === others[index]);
}

/** The bytes of a scrape. */
export interface PreparedPieces {
  /** Bytes of the plain text. */
  readonly length: number;
  readonly gzipLength: number;
  readonly pieces: readonly Piece[];
}

interface Run {
  readonly parts: readonly Piece[];
  readonly whole: Piece;
}

/** Joins small pieces of a page into larger ones, and recognizes unchanged ones. */
export class PieceJoiner {
  readonly #previous: RecentMap<string, ReadonlyMap<Piece | undefined, Run>>;

  /** `limit`: the number of keys whose last joined pieces are kept. */
  constructor(limit: number) {
    this.#previous = new RecentMap(limit);
  }

  /** `key`: the part of the page to which the pieces belong. */
  join(key: string, pieces: readonly Piece[]): PreparedPieces {
    const previous = this.#previous.get(key);
    const runs = groupsOf(pieces).map((parts): Run => {
      const before = previous?.get(parts[0]);
      if (before !== undefined && hasSame(before.parts, parts)) return before;
      const [first, ...others] = parts;
      const isOne = first !== undefined && others.length === 0;
      return { parts, whole: isOne ? first : new Piece(parts.flatMap(({ blocks }) => blocks)) };
    });
    this.#previous.set(key, new Map(runs.map((run) => [run.parts[0], run])));
    const wholes = runs.map(({ whole }) => whole);
    let [length, gzipLength] = [0, 0];
    for (const piece of wholes) {
      length += piece.length;
      gzipLength += piece.gzipLength;
    }
    return { length, gzipLength, pieces: wholes };
  }
}
