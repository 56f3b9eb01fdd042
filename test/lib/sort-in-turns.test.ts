import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sortInTurns, stepsPerTurn } from '../../src/lib/sort-in-turns.ts';

describe('sorting in turns', () => {
  test('gives the order of a stable sort', async () => {
    const rows = fc.array(fc.record({ key: fc.nat(9), place: fc.nat() }), { maxLength: 1_500 });
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
        expect(await sortInTurns(all, compare, async () => {})).toEqual(all.toSorted(compare));
      }),
      { numRuns: 30 },
    );
  });

  test('compares at most as often as a turn allows before it offers to yield', async () => {
    let [compared, most, turns] = [0, 0, 0];
    const names = Array.from({ length: 25_000 }, (_, place) => `check ${(place * 7_919) % 25_000}`);
    const sorted = await sortInTurns(
      names,
      (a, b) => {
        compared += 1;
        return a < b ? -1 : 1;
      },
      async () => {
        most = Math.max(most, compared);
        compared = 0;
        turns += 1;
      },
    );
    expect(sorted).toEqual(names.toSorted());
    expect(most).toBeLessThanOrEqual(stepsPerTurn);
    expect(turns).toBeGreaterThan(300);
  });
});
