import { describe, expect, it } from 'vitest';
import { partitionRows } from '../../../src/exposition/page/row-blocks.ts';
import fc from '../../support/fast-check.ts';

const ids = fc
  .uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 200 })
  .map((list) => list.sort((a, b) => a - b).map((id) => ({ id })));

function starts(ranges: readonly (readonly { id: number }[])[]): number[] {
  return ranges.map((range) => range[0]?.id ?? 0);
}

describe('partition', () => {
  it('keeps every entry in order, in ranges that are neither empty nor too large', () => {
    fc.assert(
      fc.property(ids, ids, fc.integer({ min: 1, max: 20 }), (before, after, size) => {
        const former = partitionRows(before, [], size);

        const ranges = partitionRows(after, starts(former), size);

        expect(ranges.flat()).toEqual(after);
        for (const range of ranges) {
          expect(range.length).toBeGreaterThan(0);
          expect(range.length).toBeLessThanOrEqual(size);
        }
      }),
    );
  });

  it('stays as it is when the entries do', () => {
    fc.assert(
      fc.property(ids, (entries) => {
        const former = partitionRows(entries, [], 8);

        expect(partitionRows(entries, starts(former), 8)).toEqual(former);
      }),
    );
  });

  it('changes one range when the entry that a range starts with is removed', () => {
    const entries = Array.from({ length: 40 }, (_, id) => ({ id }));
    const former = partitionRows(entries, [], 10);

    const ranges = partitionRows(
      entries.filter(({ id }) => id !== 20),
      starts(former),
      10,
    );

    expect(starts(ranges)).toEqual([0, 10, 21, 30]);
  });

  it('splits evenly a range that outgrew the size', () => {
    const entries = Array.from({ length: 11 }, (_, id) => ({ id }));

    expect(starts(partitionRows(entries, [0], 10))).toEqual([0, 6]);
  });

  it('joins ranges that have become small', () => {
    expect(partitionRows([{ id: 1 }, { id: 11 }, { id: 21 }], [1, 11, 21], 10)).toHaveLength(1);
  });
});
