import type { RowFamily } from '../catalogue/family.ts';
import type { LabelledRow, RowLabels } from '../labels/account-labels.ts';
import type { Block, BlockMaker } from './block.ts';
import {
  type FamilySet,
  type FamilyText,
  partsOf,
  type RowRange,
  renderRange,
} from './row-range.ts';

/**
 * Cuts a list that is ordered by id into ranges of at most `size` entries. Earlier cuts stay
 * (`previousStarts` are the first ids of the previous ranges), so that an added or removed entry
 * changes only its own range. A range that exceeds the size is split evenly; a small range joins
 * its neighbour.
 */
export function partitionRows<T extends { readonly id: number }>(
  entries: readonly T[],
  previousStarts: readonly number[],
  size: number,
): readonly (readonly T[])[] {
  const ranges: (readonly T[])[] = [];
  for (const piece of joinSmall(cutAt(entries, previousStarts), size / 2)) {
    const parts = Math.ceil(piece.length / size);
    for (let part = 0; part < parts; part++) {
      const from = Math.round((part * piece.length) / parts);
      ranges.push(piece.slice(from, Math.round(((part + 1) * piece.length) / parts)));
    }
  }
  return ranges;
}

function cutAt<T extends { readonly id: number }>(
  entries: readonly T[],
  starts: readonly number[],
): (readonly T[])[] {
  const pieces: (readonly T[])[] = [];
  let [from, next] = [0, 0];
  for (let place = 0; place < entries.length; place++) {
    const id = entries[place]?.id ?? 0;
    let isCut = false;
    for (let start = starts[next]; start !== undefined && id >= start; start = starts[next]) {
      isCut = true;
      next++;
    }
    if (isCut && place > from) {
      pieces.push(entries.slice(from, place));
      from = place;
    }
  }
  if (entries.length > from) pieces.push(entries.slice(from));
  return pieces;
}

function joinSmall<T>(pieces: readonly (readonly T[])[], small: number): (readonly T[])[] {
  const joined: (readonly T[])[] = [];
  for (const piece of pieces) {
    const previous = joined.at(-1);
    if (previous !== undefined && previous.length + piece.length <= small) {
      joined[joined.length - 1] = [...previous, ...piece];
    } else joined.push(piece);
  }
  return joined;
}

interface RowsInput<R extends LabelledRow> {
  readonly set: FamilySet<R>;
  readonly labels: RowLabels;
  /** Ordered by id, each id once. */
  readonly rows: readonly R[];
  readonly previous: readonly RowRange<R>[] | undefined;
  /** The places of the rows that differ from the previous ranges; undefined when unknown. */
  readonly changedPlaces?: readonly number[] | undefined;
  readonly rowsPerRange: number;
  readonly maker: BlockMaker;
  readonly yieldIfDue: () => Promise<void>;
}

/** Renders the ranges that differ from the previous ones, and reuses the rest. */
export async function renderRanges<R extends LabelledRow>(
  input: RowsInput<R>,
): Promise<RowRange<R>[]> {
  const { rows, previous = [], changedPlaces, rowsPerRange, ...common } = input;
  const ranges: RowRange<R>[] = [];
  if (changedPlaces !== undefined || areCutAlike(rows, previous)) {
    const changed = changedPlaces && rangesAt(previous, changedPlaces);
    let from = 0;
    for (const before of previous) {
      const { length } = before.rows;
      const hasSameRows = changed ? !changed.has(before) : hasRowsAt(rows, from, before.rows);
      const isAsBefore = before.labels === common.labels && hasSameRows;
      const range = () => ({ ...common, rows: rows.slice(from, from + length), previous: before });
      ranges.push(isAsBefore ? before : await renderRange(range()));
      from += length;
    }
    return ranges;
  }
  const previousByStart = new Map(previous.map((range) => [range.rows[0]?.id ?? 0, range]));
  for (const piece of partitionRows(rows, [...previousByStart.keys()], rowsPerRange)) {
    const before = previousByStart.get(piece[0]?.id ?? 0);
    ranges.push(await renderRange({ ...common, rows: piece, previous: before }));
  }
  return ranges;
}

/** Whether the ranges fit the rows: same number of rows, same first id of each range. */
function areCutAlike<R extends LabelledRow>(
  rows: readonly R[],
  previous: readonly RowRange<R>[],
): boolean {
  let from = 0;
  for (const range of previous) {
    if (rows[from]?.id !== range.rows[0]?.id) return false;
    from += range.rows.length;
  }
  return from === rows.length;
}

/** Returns the ranges that contain these places. */
function rangesAt<R extends LabelledRow>(
  ranges: readonly RowRange<R>[],
  places: readonly number[],
): ReadonlySet<RowRange<R>> {
  const found = new Set<RowRange<R>>();
  const ascending = Float64Array.from(places).sort();
  let [next, end] = [0, 0];
  for (const range of ranges) {
    end += range.rows.length;
    while ((ascending[next] ?? Number.POSITIVE_INFINITY) < end) {
      found.add(range);
      next++;
    }
  }
  return found;
}

function hasRowsAt<R>(rows: readonly R[], from: number, before: readonly R[]): boolean {
  for (let place = 0; place < before.length; place++) {
    if (before[place] !== rows[from + place]) return false;
  }
  return true;
}

/** New blocks by the blocks that they replace; undefined when blocks were also added or removed. */
type BlockChanges = ReadonlyMap<Block, Block> | undefined;

/** The changes since the previous ranges, by family; families without a change are absent. */
export function changedFamilies<R extends LabelledRow>(
  { families }: FamilySet<R>,
  ranges: readonly RowRange<R>[],
  previous: readonly RowRange<R>[] | undefined,
): ReadonlyMap<RowFamily<R>, BlockChanges> {
  if (previous?.length !== ranges.length) {
    return new Map(families.map((family) => [family, undefined]));
  }
  const changed = new Map<RowFamily<R>, Map<Block, Block> | undefined>();
  for (const [place, range] of ranges.entries()) {
    const before = previous[place];
    if (before === range) continue;
    for (const family of families) {
      for (const part of partsOf(family)) {
        const [old, text] = [before?.texts.get(part), range.texts.get(part)];
        if (old === text || (changed.has(family) && changed.get(family) === undefined)) continue;
        const replaced = changed.get(family) ?? new Map<Block, Block>();
        changed.set(family, addReplaced(replaced, old, text) ? replaced : undefined);
      }
    }
  }
  return changed;
}

/** Returns false when a block does not replace exactly one other. */
function addReplaced(
  replaced: Map<Block, Block>,
  { blocks: before }: FamilyText = noText,
  { blocks }: FamilyText = noText,
): boolean {
  if (before.length !== blocks.length) return false;
  for (const [place, block] of blocks.entries()) {
    const old = before[place];
    if (old === block) continue;
    if (old === undefined || block === undefined) return false;
    replaced.set(old, block);
  }
  return true;
}

const noText: FamilyText = { rowsPerBlock: 0, blocks: [] };

/** Returns all blocks of a family: part by part, each in the order of the rows. */
export function blocksOf<R extends LabelledRow>(
  ranges: readonly RowRange<R>[],
  family: RowFamily<R>,
): Block[][] {
  const shown: Block[][] = [];
  for (const part of partsOf(family)) {
    for (const { texts } of ranges) {
      const blocks = (texts.get(part)?.blocks ?? []).filter((block) => block !== undefined);
      if (blocks.length > 0) shown.push(blocks);
    }
  }
  return shown;
}
