import { getOrMake } from '../../lib/get-or-make.ts';
import type { Deflater } from '../../lib/gzip-member.ts';
import { type Family, partsOf, type RowFamily } from '../catalogue/family.ts';
import type { CommonLabels } from '../labels/account-labels.ts';
import { SampleWriter } from '../text-format.ts';
import { type Block, FamilyText } from './family-text.ts';
import { SampleComparison } from './sample-comparison.ts';

/** Neighbouring rows, whose lines in a family are one block. */
export interface Ranges {
  /** A range has the rows from this id up to the first id of the next range. */
  readonly firstIds: readonly number[];
  /** The places in the list at which the ranges end. */
  readonly ends: readonly number[];
}

/**
 * Cuts a list that is ordered by id into ranges. Earlier cuts stay, so that an added or removed row
 * changes only its own range. When many rows were added to one range, or most rows were removed,
 * the list is cut again.
 */
export function cutRows(
  rows: readonly { readonly id: number }[],
  rowsPerRange: number,
  before?: Ranges,
): Ranges {
  if (before !== undefined && suits(before, rows)) return before;
  const firstIds = [...(before?.firstIds ?? [Number.NEGATIVE_INFINITY])];
  const ends: number[] = [];
  let place = 0;
  for (let range = 0; range < firstIds.length; range++) {
    const from = place;
    const nextId = firstIds[range + 1] ?? rows[from + rowsPerRange]?.id;
    if (nextId === undefined) place = rows.length;
    else firstIds[range + 1] = nextId;
    while (nextId !== undefined && (rows[place]?.id ?? nextId) < nextId) place++;
    if (place - from > 2 * rowsPerRange) return cutRows(rows, rowsPerRange);
    ends.push(place);
  }
  const isSparse = ends.length > 2 * Math.ceil(rows.length / rowsPerRange) + 1;
  return isSparse && before !== undefined ? cutRows(rows, rowsPerRange) : { firstIds, ends };
}

/** Returns a single range for rows without ids. */
export function oneRange(rows: readonly unknown[]): Ranges {
  return { firstIds: [Number.NEGATIVE_INFINITY], ends: [rows.length] };
}

/** Whether the ranges contain these rows. Reading every row of a large account takes a millisecond. */
function suits({ firstIds, ends }: Ranges, rows: readonly { readonly id: number }[]): boolean {
  return (
    ends.at(-1) === rows.length &&
    ends.every((end, range) => {
      const start = ends[range - 1] ?? 0;
      const [first, last] = [rows[start], rows[end - 1]];
      if (start === end || first === undefined || last === undefined) return true;
      return (
        first.id >= (firstIds[range] ?? 0) &&
        last.id < (firstIds[range + 1] ?? Number.POSITIVE_INFINITY)
      );
    })
  );
}

/** What the text of rows is made of. */
interface Rows<R> {
  readonly families: readonly RowFamily<R>[];
  readonly rows: readonly R[];
  readonly labels: CommonLabels<R>;
  readonly ranges: Ranges;
}

/** The text of the checks, of the transactions, or of the account itself; immutable. */
export interface RowTexts<R> extends Rows<R> {
  /** The common labels of each row as text, by range. */
  readonly labelTexts: readonly (readonly string[])[];
  /** One text per family, or per part for families with parts. */
  readonly texts: ReadonlyMap<Family, FamilyText>;
}

export interface RenderOptions {
  readonly rowsPerRange: number;
  readonly deflater: Deflater;
  /** Called between two blocks. */
  readonly yieldIfDue: () => Promise<void>;
}

/** Renders the blocks that differ from the previous ones. */
export async function renderRows<R>(
  input: Rows<R>,
  before: RowTexts<R> | undefined,
  { deflater, yieldIfDue }: RenderOptions,
): Promise<RowTexts<R>> {
  const { families, rows, labels, ranges } = input;
  const previous = before?.families === families ? before : undefined;
  if (previous?.rows === rows && previous.labels === labels) return previous;
  const parts = families.flatMap(partsOf);
  const readers = readersOf(parts);
  const rowsOf = (range: number) => rows.slice(startOf(ranges, range), ranges.ends[range]);
  const comparison = new SampleComparison();
  const labelTexts: (readonly string[])[] = [];
  const outdated = new Map<RowFamily<R>, number[]>();
  for (let range = 0; range < ranges.ends.length; range++) {
    const changes = previous && changesIn(range, input, previous);
    const labelTextsBefore = changes && previous?.labelTexts[range];
    labelTexts.push(labelTextsBefore ?? rowsOf(range).map((row) => labels.textOf(row)));
    if (changes?.length === 0) continue;
    for (const part of changes ? outdatedParts(readers, changes, comparison) : parts) {
      getOrMake(outdated, part, () => []).push(range);
    }
    await yieldIfDue();
  }
  const texts = new Map<Family, FamilyText>();
  for (const part of parts) {
    const hasUsualLabels = labels.suits(part.labels);
    const blocks = new Map<number, Block | undefined>();
    for (const range of outdated.get(part) ?? []) {
      const writer = new SampleWriter(part);
      for (const [place, row] of rowsOf(range).entries()) {
        const common = hasUsualLabels ? labelTexts[range]?.[place] : undefined;
        writer.common = common ?? labels.textOf(row, part.labels);
        part.samples(row, writer);
      }
      blocks.set(range, blockOf(writer, deflater));
      await yieldIfDue();
    }
    const textBefore = previous?.texts.get(part) ?? FamilyText.empty;
    const isSame = blocks.size === 0 && previous?.ranges.ends.length === ranges.ends.length;
    texts.set(part, isSame ? textBefore : textBefore.with(blocks, ranges.ends.length));
  }
  return { ...input, labelTexts, texts };
}

/** Returns undefined without samples. */
export function blockOf(
  { series, text }: Pick<SampleWriter, 'series' | 'text'>,
  deflater: Deflater,
): Block | undefined {
  return series === 0 ? undefined : { ...deflater.deflate(text), series };
}

function startOf({ ends }: Ranges, range: number): number {
  return range === 0 ? 0 : (ends[range - 1] ?? 0);
}

/** A row before and after a change. */
type Change<R> = readonly [before: R, after: R];

/** Returns the rows of a range that changed; undefined when it has other rows or other labels. */
function changesIn<R>(
  range: number,
  { rows, labels, ranges }: Rows<R>,
  previous: RowTexts<R>,
): readonly Change<R>[] | undefined {
  const start = startOf(ranges, range);
  const end = ranges.ends[range] ?? start;
  const startBefore = startOf(previous.ranges, range);
  if (labels !== previous.labels) return undefined;
  if (end - start !== (previous.ranges.ends[range] ?? startBefore) - startBefore) return undefined;
  const changes: Change<R>[] = [];
  for (let place = start; place < end; place++) {
    const row = rows[place];
    const before = previous.rows[startBefore + place - start];
    if (row === before || row === undefined || before === undefined) continue;
    if (!labels.areSame(before, row)) return undefined;
    changes.push([before, row]);
  }
  return changes;
}

/** All fields that families read, each with the families that read it. */
type Readers<R> = ReadonlyMap<keyof R, readonly RowFamily<R>[]>;

function readersOf<R>(parts: readonly RowFamily<R>[]): Readers<R> {
  const readers = new Map<keyof R, RowFamily<R>[]>();
  for (const part of parts) {
    for (const field of part.reads) getOrMake(readers, field, () => []).push(part);
  }
  return readers;
}

/** Returns the parts in which one of the rows has other samples than before. */
function outdatedParts<R>(
  readersByField: Readers<R>,
  changes: readonly Change<R>[],
  comparison: SampleComparison,
): Iterable<RowFamily<R>> {
  const outdated = new Set<RowFamily<R>>();
  for (const [before, after] of changes) {
    for (const [field, readers] of readersByField) {
      if (before[field] === after[field]) continue;
      for (const part of readers) {
        if (!outdated.has(part) && !comparison.areSame(part, before, after)) outdated.add(part);
      }
    }
  }
  return outdated;
}
