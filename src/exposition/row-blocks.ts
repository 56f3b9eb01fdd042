import type { Block, BlockMaker } from './block.ts';
import type { RowFamily } from './catalogue/family.ts';
import type { Row, RowLabels } from './labels/row-labels.ts';
import { partition } from './partition.ts';
import { type RowRange, renderRange } from './row-range.ts';

interface RowsInput<R extends Row> {
  readonly families: readonly RowFamily<R>[];
  readonly labels: RowLabels;
  /** Ordered by id, each id once. */
  readonly rows: readonly R[];
  readonly former: readonly RowRange<R>[] | undefined;
  readonly rowsPerRange: number;
  readonly maker: BlockMaker;
  readonly breathe: () => Promise<void>;
}

/** Renders the ranges that differ from the former ones and shares the rest. */
export async function renderRanges<R extends Row>(input: RowsInput<R>): Promise<RowRange<R>[]> {
  const { families, labels, rows, former = [], rowsPerRange, maker, breathe } = input;
  const formerByStart = new Map(former.map((range) => [range.rows[0]?.id ?? 0, range]));
  const ranges: RowRange<R>[] = [];
  for (const piece of partition(rows, [...formerByStart.keys()], rowsPerRange)) {
    const before = formerByStart.get(piece[0]?.id ?? 0);
    ranges.push(
      await renderRange({ families, labels, rows: piece, former: before, maker, breathe }),
    );
  }
  return ranges;
}

export function blocksOf<R extends Row>(
  ranges: readonly RowRange<R>[],
  family: RowFamily<R>,
): readonly Block[] {
  const shown: Block[] = [];
  for (const { texts } of ranges) {
    for (const block of texts.get(family)?.blocks ?? []) if (block !== undefined) shown.push(block);
  }
  return shown;
}
