import { describe, expect, test, vi } from 'vitest';
import { subtract, tallyMaintenance } from '../../src/tally/maintenance-tally.ts';
import { noSeconds } from '../../src/tally/state-tally.ts';
import fc from '../support/fast-check.ts';

const booked = [
  { state: 'up', fromSeconds: 100, toSeconds: 200 },
  { state: 'down', fromSeconds: 200, toSeconds: 260 },
  { state: 'up', fromSeconds: 260, toSeconds: 400 },
] as const;

test('seconds inside occurrences are tallied by state', () => {
  const occurrences = [{ fromSeconds: 190, toSeconds: 230 }];

  expect(tallyMaintenance(noSeconds, booked, occurrences)).toEqual({
    ...noSeconds,
    up: 10,
    down: 30,
  });
});

test('a second inside two occurrences counts once', () => {
  const occurrences = [
    { fromSeconds: 300, toSeconds: 320 },
    { fromSeconds: 150, toSeconds: 220 },
    { fromSeconds: 210, toSeconds: 310 },
  ];

  expect(tallyMaintenance(noSeconds, booked, occurrences)).toEqual({
    ...noSeconds,
    up: 110,
    down: 60,
  });
});

test('nothing is added outside occurrences', () => {
  const before = { ...noSeconds, up: 5 };

  expect(tallyMaintenance(before, booked, [{ fromSeconds: 400, toSeconds: 500 }])).toBe(before);
});

describe('subtract', () => {
  const ranges = fc.array(
    fc
      .record({
        fromSeconds: fc.integer({ min: 0, max: 40 }),
        length: fc.integer({ min: 1, max: 9 }),
      })
      .map(({ fromSeconds, length }) => ({ fromSeconds, toSeconds: fromSeconds + length })),
    { maxLength: 8 },
  );

  test('leaves each second that is in one of the first and in none of the others, in order', () => {
    fc.assert(
      fc.property(ranges, ranges, (occurrences, others) => {
        const left = subtract(occurrences, others);
        const isIn = (all: typeof left, second: number) =>
          all.some(({ fromSeconds, toSeconds }) => fromSeconds <= second && second < toSeconds);
        for (let second = 0; second < 60; second++) {
          const isLeft = isIn(occurrences, second) && !isIn(others, second);
          expect([second, isIn(left, second)]).toEqual([second, isLeft]);
        }
        for (const [place, { fromSeconds, toSeconds }] of left.entries()) {
          expect(fromSeconds).toBeLessThan(toSeconds);
          expect(fromSeconds).toBeGreaterThanOrEqual(left[place - 1]?.toSeconds ?? 0);
        }
      }),
    );
  });

  test('looks at each of a year of nightly occurrences a few times, not at each pair of them', () => {
    const nights = 400;
    let looks = 0;
    const nightly = Array.from({ length: nights }, (_, night) => ({
      get fromSeconds() {
        looks += 1;
        return night * 86_400;
      },
      toSeconds: night * 86_400 + 3_600,
    }));
    // A range that is cut to another one is a copy: cuts count as looks, too.
    const cuts = vi.spyOn(Math, 'max');
    const left = subtract(nightly, nightly.slice(1));
    looks += cuts.mock.calls.length;
    cuts.mockRestore();

    expect(left).toEqual([{ fromSeconds: 0, toSeconds: 3_600 }]);
    expect(looks).toBeLessThan(50 * nights);
  });
});
