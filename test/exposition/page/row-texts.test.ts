import { describe, expect, it } from 'vitest';
import type { SampleSink } from '../../../src/exposition/catalogue/family.ts';
import {
  cutRows,
  oneRange,
  type Ranges,
  type RowTexts,
  renderRows,
} from '../../../src/exposition/page/row-texts.ts';
import { Deflater, inflate } from '../../../src/lib/gzip-member.ts';
import fc from '../../support/fast-check.ts';

const rows = fc
  .uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 200 })
  .map((ids) => ids.sort((a, b) => a - b).map((id) => ({ id })));

function numbered(from: number, to: number): { id: number }[] {
  return Array.from({ length: to - from + 1 }, (_, place) => ({ id: from + place }));
}

function sizesOf({ ends }: Ranges): number[] {
  return ends.map((end, range) => end - (ends[range - 1] ?? 0));
}

describe('cutRows', () => {
  it('has every row in one range, and no range of more than twice the size', () => {
    fc.assert(
      fc.property(rows, rows, fc.integer({ min: 1, max: 20 }), (former, latter, size) => {
        const ranges = cutRows(latter, size, cutRows(former, size));

        expect(ranges.ends.at(-1)).toBe(latter.length);
        for (const length of sizesOf(ranges)) {
          expect(length).toBeGreaterThanOrEqual(0);
          expect(length).toBeLessThanOrEqual(2 * size);
        }
        for (const [place, { id }] of latter.entries()) {
          const range = ranges.ends.findIndex((end) => place < end);
          expect(id).toBeGreaterThanOrEqual(ranges.firstIds[range] ?? Number.NaN);
          expect(id).toBeLessThan(ranges.firstIds[range + 1] ?? Number.POSITIVE_INFINITY);
        }
      }),
    );
  });

  it('stays as it is when the rows do', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const before = cutRows(list, 8);

        expect(cutRows(list, 8, before)).toEqual(before);
      }),
    );
  });

  it('changes only its own range when a row is added or removed', () => {
    const before = cutRows(numbered(1, 40), 10);

    const removed = cutRows([...numbered(1, 20), ...numbered(22, 40)], 10, before);
    const added = cutRows(numbered(1, 43), 10, before);

    expect(sizesOf(removed)).toEqual([10, 10, 9, 10]);
    expect(sizesOf(added)).toEqual([10, 10, 10, 10, 3]);
    expect(added.firstIds.slice(0, 4)).toEqual(before.firstIds);
  });

  it('keeps the place of a range that has lost all of its rows', () => {
    const before = cutRows(numbered(1, 40), 10);

    const ranges = cutRows([...numbered(1, 10), ...numbered(21, 40)], 10, before);

    expect(sizesOf(ranges)).toEqual([10, 0, 10, 10]);
  });

  it('cuts again when a range has grown to more than twice the size', () => {
    const before = cutRows([...numbered(1, 5), ...numbered(100, 104)], 5);

    expect(sizesOf(cutRows([...numbered(1, 16), ...numbered(100, 104)], 5, before))).toEqual([
      5, 5, 5, 5, 1,
    ]);
  });

  it('cuts again when most rows are removed', () => {
    const before = cutRows(numbered(1, 100), 10);

    expect(sizesOf(cutRows(numbered(1, 31), 10, before))).toEqual([10, 10, 10, 1]);
  });
});

describe('renderRows', () => {
  interface Counted {
    readonly id: number;
    readonly seconds: { readonly up: number; readonly down: number };
  }
  const rowsWith = (up: number, down: number): Counted[] => [
    { id: 1, seconds: { up, down } },
    { id: 2, seconds: { up: 0, down: 0 } },
  ];
  const labels = {
    textOf: ({ id }: Counted) => `id="${id}"`,
    suits: () => true,
    areSame: () => true,
  };

  it('writes the samples of a value only when that value has changed', async () => {
    const written: string[] = [];
    const families = (['up', 'down'] as const).map((state) => ({
      ...{ name: state, type: 'gauge' as const, help: state, commonLabels: ['id'], labels: [] },
      reads: ['seconds' as const],
      value: (row: Counted) => row.seconds[state],
      samples: (row: Counted, { emit }: SampleSink) => {
        written.push(`${state} ${row.id}`);
        emit(row.seconds[state]);
      },
    }));
    const options = {
      rowsPerRange: 2,
      deflater: new Deflater(),
      yieldIfDue: () => Promise.resolve(),
    };
    const render = (rows: Counted[], before?: RowTexts<Counted>) =>
      renderRows({ families, rows, labels, ranges: oneRange(rows) }, before, options);
    const first = await render(rowsWith(10, 3));
    written.length = 0;

    const second = await render(rowsWith(11, 3), first);

    expect(written).toEqual(['up 1', 'up 2']);
    const texts = [...second.texts.values()].map((text) => inflate(text).toString());
    expect(texts).toEqual(['up{id="1"} 11\nup{id="2"} 0\n', 'down{id="1"} 3\ndown{id="2"} 0\n']);
  });
});
