import type { Deflater } from '../../lib/gzip-member.ts';
import { type Family, partsOf, type RowFamily } from '../catalogue/family.ts';
import type { CommonLabels } from '../labels/account-labels.ts';
import { SampleWriter } from '../text-format.ts';
import { type Block, digestOf, FamilyText } from './family-text.ts';

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
function suits(ranges: Ranges, rows: readonly { readonly id: number }[]): boolean {
  const { firstIds, ends } = ranges;
  return (
    ends.at(-1) === rows.length &&
    ends.every((end, range) => {
      const [first, last] = [rows[startOf(ranges, range)], rows[end - 1]];
      if (first === undefined || last === undefined) return true;
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
  /** One text per family, or per part for families with parts. */
  readonly texts: ReadonlyMap<Family, FamilyText>;
}

export interface RenderOptions {
  readonly rowsPerRange: number;
  readonly deflater: Deflater;
  /** Called between two blocks. */
  readonly yieldIfDue: () => Promise<void>;
}

/**
 * Writes the families of each range in which a field that they read has changed, and compresses the
 * blocks that have another text than before.
 */
export async function renderRows<R>(
  input: Rows<R>,
  before: RowTexts<R> | undefined,
  { deflater, yieldIfDue }: RenderOptions,
): Promise<RowTexts<R>> {
  const { families, rows, labels, ranges } = input;
  const previous = before?.families === families ? before : undefined;
  if (previous?.rows === rows && previous.labels === labels) return previous;
  const parts = families.flatMap(partsOf).map((family) => ({
    family,
    hasUsualLabels: labels.suits(family.labels),
    before: previous?.texts.get(family) ?? FamilyText.empty,
    blocks: new Map<number, Block | undefined>(),
  }));
  const fields = [...new Set(parts.flatMap(({ family }) => family.reads))];
  for (let range = 0; range < ranges.ends.length; range++) {
    const changed = previous && changedFields(fields, range, input, previous);
    if (changed?.size === 0) continue;
    const rowsIn = rowsOf(input, range);
    const rowsBefore = previous === undefined ? [] : rowsOf(previous, range);
    const usualLabels = rowsIn.map((row) => labels.textOf(row));
    for (const { family, hasUsualLabels, before, blocks } of parts) {
      if (changed && !isChanged(family, changed, rowsIn, rowsBefore)) continue;
      const writer = new SampleWriter(family);
      rowsIn.forEach((row, place) => {
        const usual = hasUsualLabels ? usualLabels[place] : undefined;
        writer.common = usual ?? labels.textOf(row, family.labels);
        family.samples(row, writer);
      });
      const digest = digestOf(writer);
      if (digest !== before.digestOf(range)) blocks.set(range, blockOf(writer, deflater, digest));
      await yieldIfDue();
    }
  }
  const isSameCut = previous?.ranges.ends.length === ranges.ends.length;
  const texts = parts.map(({ family, before, blocks }) => {
    const isSame = isSameCut && blocks.size === 0;
    return [family, isSame ? before : before.with(blocks, ranges.ends.length)] as const;
  });
  return { ...input, texts: new Map(texts) };
}

/** Returns undefined without samples. */
export function blockOf(
  { series, text }: SampleWriter,
  deflater: Deflater,
  digest?: string,
): Block | undefined {
  return series === 0 ? undefined : { ...deflater.deflate(text), series, digest };
}

function rowsOf<R>({ rows, ranges }: Rows<R>, range: number): readonly R[] {
  return rows.slice(startOf(ranges, range), ranges.ends[range]);
}

function startOf({ ends }: Ranges, range: number): number {
  return ends[range - 1] ?? 0;
}

/** Returns whether the samples of a family may have changed with these fields. */
function isChanged<R>(
  { reads, value }: RowFamily<R>,
  fields: ReadonlySet<keyof R>,
  rows: readonly R[],
  before: readonly R[],
): boolean {
  if (!reads.some((field) => fields.has(field))) return false;
  return (
    value === undefined || rows.some((row, place) => value(row) !== value(before[place] ?? row))
  );
}

/** Returns the fields in which rows of a range differ; undefined when it has other rows or labels. */
function changedFields<R>(
  fields: readonly (keyof R)[],
  range: number,
  { rows, labels, ranges }: Rows<R>,
  previous: Rows<R>,
): ReadonlySet<keyof R> | undefined {
  const start = startOf(ranges, range);
  const end = ranges.ends[range] ?? start;
  const startBefore = startOf(previous.ranges, range);
  if (labels !== previous.labels) return undefined;
  if (end - start !== (previous.ranges.ends[range] ?? startBefore) - startBefore) return undefined;
  const changed = new Set<keyof R>();
  for (let place = start; place < end; place++) {
    const row = rows[place];
    const before = previous.rows[startBefore + place - start];
    if (row === before || row == null || before == null) continue;
    if (!labels.areSame(before, row)) return undefined;
    for (const field of fields) if (before[field] !== row[field]) changed.add(field);
  }
  return changed;
}
