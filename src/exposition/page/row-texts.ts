import { getOrMake } from '../../lib/get-or-make.ts';
import type { Deflater } from '../../lib/gzip-member.ts';
import type { RowFamily } from '../catalogue/family.ts';
import type { LabelledRow, RowLabels } from '../labels/account-labels.ts';
import { SampleWriter } from '../text-format.ts';
import { type Block, FamilyText } from './family-text.ts';

/** Families that are rendered together. */
export interface FamilySet<R> {
  readonly families: readonly RowFamily<R>[];
  /** The families without parts, and the parts of the others. */
  readonly parts: readonly RowFamily<R>[];
  /** All fields that they read, each with the parts that read it. */
  readonly byField: ReadonlyMap<keyof R, readonly RowFamily<R>[]>;
}

export function familySet<R>(families: readonly RowFamily<R>[]): FamilySet<R> {
  const parts = families.flatMap(partsOf);
  const fields = new Set(parts.flatMap(({ reads }) => reads));
  const readersOf = (field: keyof R) => parts.filter(({ reads }) => reads.includes(field));
  const byField = new Map([...fields].map((field) => [field, readersOf(field)]));
  return { families, parts, byField };
}

export function partsOf<R>(family: RowFamily<R>): readonly RowFamily<R>[] {
  return family.parts ?? [family];
}

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

/** The text of checks or transactions of one account; immutable. */
export interface RowTexts<R extends LabelledRow> {
  readonly rows: readonly R[];
  readonly labels: RowLabels;
  readonly ranges: Ranges;
  /** One text per family, or per part for families with parts. */
  readonly texts: ReadonlyMap<RowFamily<R>, FamilyText>;
}

export interface RenderOptions {
  readonly rowsPerRange: number;
  readonly deflater: Deflater;
  /** Called between two blocks. */
  readonly yieldIfDue: () => Promise<void>;
}

interface RowsInput<R extends LabelledRow> extends Pick<RowTexts<R>, 'rows' | 'labels'> {
  readonly set: FamilySet<R>;
}

/** Renders the blocks that differ from the previous ones. */
export async function renderRows<R extends LabelledRow>(
  { set, rows, labels }: RowsInput<R>,
  previous: RowTexts<R> | undefined,
  { rowsPerRange, deflater, yieldIfDue }: RenderOptions,
): Promise<RowTexts<R>> {
  if (previous?.rows === rows && previous.labels === labels) return previous;
  const ranges = cutRows(rows, rowsPerRange, previous?.ranges);
  const rowsOf = (range: number) => rowsIn(rows, ranges, range);
  const outdated = new Map<RowFamily<R>, number[]>();
  for (let range = 0; range < ranges.ends.length; range++) {
    const before =
      previous?.labels === labels ? rowsIn(previous.rows, previous.ranges, range) : undefined;
    for (const part of outdatedParts(set, labels, rowsOf(range), before)) {
      getOrMake(outdated, part, () => []).push(range);
    }
    await yieldIfDue();
  }
  const labelTexts = new Map<number, readonly string[]>();
  const labelTextsOf = (range: number) =>
    getOrMake(labelTexts, range, () => rowsOf(range).map((row) => labels.textOf(row)));
  const texts = new Map<RowFamily<R>, FamilyText>();
  for (const part of set.parts) {
    const text = previous?.texts.get(part) ?? FamilyText.empty;
    const suits = labels.suits(part.labels);
    const changes = new Map<number, Block | undefined>();
    for (const range of outdated.get(part) ?? []) {
      const writer = new SampleWriter(part);
      for (const [place, row] of rowsOf(range).entries()) {
        writer.common = suits
          ? (labelTextsOf(range)[place] ?? '')
          : labels.textOf(row, part.labels);
        part.samples(row, writer);
      }
      const before = text.blockAt(range);
      const block = blockOf(writer, deflater, before);
      if (block !== before) changes.set(range, block);
      await yieldIfDue();
    }
    const isSame = changes.size === 0 && previous?.ranges.ends.length === ranges.ends.length;
    texts.set(part, isSame ? text : text.with(changes, ranges.ends.length));
  }
  return { rows, labels, ranges, texts };
}

/** Returns the block before if it has the same text; undefined without samples. */
export function blockOf(
  { series, text }: Pick<SampleWriter, 'series' | 'text'>,
  deflater: Deflater,
  before: Block | undefined,
): Block | undefined {
  if (series === 0) return undefined;
  const deflated = deflater.deflate(text, before);
  return deflated === before ? before : { ...deflated, series };
}

function rowsIn<R>(rows: readonly R[], { ends }: Ranges, range: number): readonly R[] {
  return rows.slice(range === 0 ? 0 : ends[range - 1], ends[range] ?? 0);
}

/** Returns the parts that read a field in which the rows of a range differ from those before. */
function outdatedParts<R extends LabelledRow>(
  { parts, byField }: FamilySet<R>,
  labels: RowLabels,
  rows: readonly R[],
  before: readonly R[] | undefined,
): Iterable<RowFamily<R>> {
  if (before?.length !== rows.length) return parts;
  const outdated = new Set<RowFamily<R>>();
  for (const [place, row] of rows.entries()) {
    const old = before[place];
    if (old === row || old === undefined) continue;
    if (labels.reads.some((field) => old[field] !== row[field])) return parts;
    for (const [field, readers] of byField) {
      if (old[field] !== row[field]) for (const part of readers) outdated.add(part);
    }
  }
  return outdated;
}
