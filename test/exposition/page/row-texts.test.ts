import { describe, expect, it } from 'vitest';
import { cutRows, type Ranges } from '../../../src/exposition/page/row-texts.ts';
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
