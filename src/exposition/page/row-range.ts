import type { RowFamily, SampleSink } from '../catalogue/family.ts';
import type { LabelledRow, RowLabels } from '../labels/account-labels.ts';
import { SampleWriter } from '../text-format.ts';
import type { Block, BlockMaker } from './block.ts';

/**
 * Compares the samples of two rows in a family without making their text. When a whole list has
 * changed, every row is compared, so a comparison allocates no memory for text.
 */
class SampleComparison {
  /** All values in the text of the first row's samples. */
  readonly #parts: unknown[] = [];
  #place = 0;
  #isFirst = true;
  #isSame = true;

  readonly #sink: SampleSink = {
    emit: (value, ...labelValues) => {
      this.#take(value === undefined ? Number.NaN : Number(value));
      for (const label of labelValues) this.#take(label);
    },
    histogram: (totals) => {
      if (totals === undefined) return;
      const { bounds, counts, sumSeconds } = totals;
      this.#take(bounds.length);
      for (const bound of bounds) this.#take(bound);
      for (const count of counts) this.#take(count);
      this.#take(sumSeconds);
    },
    summary: (sum, count, ...labelValues) => {
      this.#take(sum);
      this.#take(count);
      for (const label of labelValues) this.#take(label);
    },
  };

  areSame<R>(family: RowFamily<R>, a: R, b: R): boolean {
    this.#place = 0;
    this.#isFirst = true;
    family.samples(a, this.#sink);
    const length = this.#place;
    this.#place = 0;
    this.#isFirst = false;
    this.#isSame = true;
    family.samples(b, this.#sink);
    return this.#isSame && this.#place === length;
  }

  #take(part: number | string): void {
    const place = this.#place++;
    if (this.#isFirst) this.#parts[place] = part;
    else if (!Object.is(this.#parts[place], part)) this.#isSame = false;
  }
}

/** The text of one family; a block without samples is absent. */
export interface FamilyText {
  readonly rowsPerBlock: number;
  readonly blocks: readonly (Block | undefined)[];
}

/** Neighbouring items of an account, with their text in every family; immutable. */
export interface RowRange<R extends LabelledRow> {
  readonly rows: readonly R[];
  readonly labels: RowLabels;
  /** The common labels of each row as text. */
  readonly labelTexts: readonly string[];
  /** One text per family, or per part for families with parts. */
  readonly texts: ReadonlyMap<RowFamily<R>, FamilyText>;
}

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
  return {
    families,
    parts,
    byField: new Map(
      [...fields].map((field) => [field, parts.filter(({ reads }) => reads.includes(field))]),
    ),
  };
}

export function partsOf<R>(family: RowFamily<R>): readonly RowFamily<R>[] {
  return family.parts ?? [family];
}

type RangeText<R extends LabelledRow> = Pick<RowRange<R>, 'rows' | 'labels' | 'labelTexts'> &
  Pick<RangeInput<R>, 'maker'>;

interface RangeInput<R extends LabelledRow> {
  readonly set: FamilySet<R>;
  readonly labels: RowLabels;
  readonly rows: readonly R[];
  readonly previous: RowRange<R> | undefined;
  readonly maker: BlockMaker;
  readonly yieldIfDue: () => Promise<void>;
}

/** Rows with unchanged labels, by the fields that may differ. */
type Changes<R extends LabelledRow> = ReadonlyMap<keyof R, readonly number[]>;

/** Renders the blocks that differ from the previous ones, and reuses the rest. */
export async function renderRange<R extends LabelledRow>(
  input: RangeInput<R>,
): Promise<RowRange<R>> {
  const { set, labels, rows, previous, maker, yieldIfDue } = input;
  const changes = previous && changesIn(input, previous);
  if (previous !== undefined && changes?.size === 0 && previous.labels === labels) return previous;
  const labelTexts = labelTextsOf(input, changes);
  const range = { rows, labels, labelTexts };
  const texts = new Map<RowFamily<R>, FamilyText>();
  if (previous === undefined || changes === undefined || labelTexts !== previous.labelTexts) {
    for (const part of set.parts) {
      texts.set(part, renderAll(part, { ...range, maker }, firstBlockRows(part, rows.length)));
      await yieldIfDue();
    }
    return { ...range, texts };
  }
  for (const [part, before] of previous.texts) texts.set(part, before);
  const affected = new Set([...changes.keys()].flatMap((field) => set.byField.get(field) ?? []));
  for (const part of affected) {
    const before = previous.texts.get(part);
    if (before === undefined) continue;
    const outdated = outdatedBlocks(part, rows, previous.rows, changes);
    if (outdated.size === 0) continue;
    texts.set(part, renderOutdated(part, { ...range, maker }, before, outdated));
    await yieldIfDue();
  }
  return { ...range, texts };
}

/** Returns undefined if the ranges contain different rows. */
function changesIn<R extends LabelledRow>(
  { set, labels, rows }: RangeInput<R>,
  previous: RowRange<R>,
): Changes<R> | undefined {
  if (previous.rows.length !== rows.length) return undefined;
  const differing: number[] = [];
  for (let index = 0; index < rows.length; index++) {
    if (previous.rows[index] !== rows[index]) differing.push(index);
  }
  const changes = new Map<keyof R, number[]>();
  for (const field of new Set([...set.byField.keys(), ...labels.reads])) {
    const indexes = differing.filter(
      (index) => previous.rows[index]?.[field] !== rows[index]?.[field],
    );
    if (indexes.length > 0) changes.set(field, indexes);
  }
  return changes.has('id') ? undefined : changes;
}

/** Returns the previous texts if they are still valid. */
function labelTextsOf<R extends LabelledRow>(
  { labels, rows, previous }: RangeInput<R>,
  changes: Changes<R> | undefined,
): readonly string[] {
  const stable =
    previous?.labels === labels && changes && labels.reads.every((field) => !changes.has(field));
  if (stable) return previous.labelTexts;
  const texts = rows.map((row) => labels.textOf(row));
  const before = previous?.labelTexts;
  const same =
    before?.length === texts.length && before.every((text, index) => text === texts[index]);
  return same ? before : texts;
}

/** Returns the places of the small blocks whose samples differ. */
function outdatedBlocks<R extends LabelledRow>(
  family: RowFamily<R>,
  rows: readonly R[],
  previousRows: readonly R[],
  changes: Changes<R>,
): ReadonlySet<number> {
  const outdated = new Set<number>();
  const comparison = new SampleComparison();
  const rowsPerBlock = smallBlockRows(family);
  for (const field of family.reads) {
    for (const index of changes.get(field) ?? []) {
      const place = Math.floor(index / rowsPerBlock);
      if (outdated.has(place)) continue;
      const [before, after] = [previousRows[index], rows[index]];
      if (
        before === undefined ||
        after === undefined ||
        !comparison.areSame(family, before, after)
      ) {
        outdated.add(place);
      }
    }
  }
  return outdated;
}

/**
 * Small blocks make a change of few rows cheap; large blocks compress better and faster. A family
 * has one block per range when most of its rows are new at once, and small blocks after few of them
 * change.
 */
function renderOutdated<R extends LabelledRow>(
  family: RowFamily<R>,
  range: RangeText<R>,
  before: FamilyText,
  outdated: ReadonlySet<number>,
): FamilyText {
  const rowsPerBlock = smallBlockRows(family);
  const places = Math.ceil(range.rows.length / rowsPerBlock);
  if (places > 1 && outdated.size > places / 2) return renderAll(family, range, range.rows.length);
  if (before.rowsPerBlock !== rowsPerBlock) return renderAll(family, range, rowsPerBlock);
  const blocks = before.blocks.map((block, place) =>
    outdated.has(place) ? renderBlock(family, range, place, rowsPerBlock) : block,
  );
  return { rowsPerBlock, blocks };
}

/** Returns the rows of about 64 lines; histograms have a dozen lines per row. */
function smallBlockRows({ type, labels }: Pick<RowFamily<never>, 'type' | 'labels'>): number {
  if (type === 'histogram') return 8;
  return labels.length > 0 ? 16 : 32;
}

/** One block per range of a histogram would make a changed row slow to render. */
function firstBlockRows(family: Pick<RowFamily<never>, 'type' | 'labels'>, rows: number): number {
  return family.type === 'histogram' ? smallBlockRows(family) : rows;
}

function renderAll<R extends LabelledRow>(
  family: RowFamily<R>,
  range: RangeText<R>,
  rowsPerBlock: number,
): FamilyText {
  const blocks = Array.from({ length: Math.ceil(range.rows.length / rowsPerBlock) }, (_, place) =>
    renderBlock(family, range, place, rowsPerBlock),
  );
  return { rowsPerBlock, blocks };
}

function renderBlock<R extends LabelledRow>(
  family: RowFamily<R>,
  { rows, labels, labelTexts, maker }: RangeText<R>,
  place: number,
  rowsPerBlock: number,
): Block | undefined {
  const suits = labels.suits(family.labels);
  const writer = new SampleWriter(family);
  const end = (place + 1) * rowsPerBlock;
  for (let index = place * rowsPerBlock; index < end; index++) {
    const row = rows[index];
    if (row === undefined) break;
    writer.common = suits ? (labelTexts[index] ?? '') : labels.textOf(row, family.labels);
    family.samples(row, writer);
  }
  return writer.series === 0 ? undefined : maker.make(writer.text, writer.series);
}
