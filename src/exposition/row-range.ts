import { isDeepStrictEqual } from 'node:util';
import { type Block, makeBlock } from './block.ts';
import type { RowFamily } from './catalogue/family.ts';
import type { Row, RowLabels } from './labels/row-labels.ts';
import { SampleWriter } from './sample-writer.ts';

/** Neighbouring checks or transactions of an account, with their text in every family; immutable. */
export interface RowRange<R extends Row> {
  readonly rows: readonly R[];
  readonly labels: RowLabels;
  /** The common labels of each row as text. */
  readonly labelTexts: readonly string[];
  /** A family without any sample has no block. */
  readonly blocks: ReadonlyMap<RowFamily<R>, Block | undefined>;
}

interface RangeInput<R extends Row> {
  readonly families: readonly RowFamily<R>[];
  readonly labels: RowLabels;
  readonly rows: readonly R[];
  readonly former: RowRange<R> | undefined;
  readonly breathe: () => Promise<void>;
}

/** Renders the blocks that differ from the former ones and shares the rest. */
export async function renderRange<R extends Row>(input: RangeInput<R>): Promise<RowRange<R>> {
  const { families, labels, rows, former, breathe } = input;
  const changed = former && changedFields(input, former);
  if (former !== undefined && changed?.size === 0 && former.labels === labels) return former;
  const differs = (field: keyof R) => changed === undefined || changed.has(field);
  const stable = former?.labels === labels && labels.reads.every((field) => !differs(field));
  const labelTexts = stable ? former.labelTexts : rows.map((row) => labels.textOf(row));
  const sameLabels = stable || isDeepStrictEqual(former?.labelTexts, labelTexts);
  const blocks = new Map<RowFamily<R>, Block | undefined>();
  for (const family of families) {
    const before = former?.blocks.get(family);
    if (sameLabels && !family.reads.some(differs)) {
      blocks.set(family, before);
      continue;
    }
    blocks.set(family, renderBlock(family, { rows, labels, labelTexts }, before));
    await breathe();
  }
  return { rows, labels, labelTexts, blocks };
}

/** The fields that matter and differ in any row; undefined when the ranges do not hold the same rows. */
function changedFields<R extends Row>(
  { families, labels, rows }: RangeInput<R>,
  former: RowRange<R>,
): ReadonlySet<keyof R> | undefined {
  if (former.rows.length !== rows.length) return undefined;
  const unchanged = new Set<keyof R>([...labels.reads, ...families.flatMap(({ reads }) => reads)]);
  const changed = new Set<keyof R>();
  for (const [index, row] of rows.entries()) {
    const before = former.rows[index];
    if (before === row) continue;
    if (before?.id !== row.id) return undefined;
    for (const field of unchanged) {
      if (isSame(before[field], row[field])) continue;
      unchanged.delete(field);
      changed.add(field);
    }
  }
  return changed;
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || (typeof after === 'object' && isDeepStrictEqual(before, after));
}

function renderBlock<R extends Row>(
  family: RowFamily<R>,
  { rows, labels, labelTexts }: Pick<RowRange<R>, 'rows' | 'labels' | 'labelTexts'>,
  former: Block | undefined,
): Block | undefined {
  const suits = labels.suits(family.labels);
  const writer = new SampleWriter(family);
  for (const [index, row] of rows.entries()) {
    writer.common = suits ? (labelTexts[index] ?? '') : labels.textOf(row, family.labels);
    family.samples(row, writer);
  }
  return writer.series === 0 ? undefined : makeBlock(writer.text, writer.series, former);
}
