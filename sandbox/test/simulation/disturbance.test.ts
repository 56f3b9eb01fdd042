import { expect, test } from 'vitest';
import { stabilities, testTime } from '../../src/simulation/monitored-check.ts';
import { seededStretch } from '../../src/simulation/test-outcomes.ts';
import fc from '../support/fast-check.ts';

const resolutionSeconds = 300;
const run = { from: 0, resolutionSeconds, phaseSeconds: 0 };

test('tests are late by any whole second up to the most', () => {
  const late = { ...run, lateSeconds: 3 };
  const delays = Array.from(
    { length: 100 },
    (_, index) => testTime(late, index) - testTime(run, index),
  );
  expect([...new Set(delays)].sort()).toEqual([0, 1, 2, 3]);
});

test('a block has at most one disturbance, whole and with a good test behind it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('steady' as const, 'ordinary' as const, 'flaky' as const),
      fc.nat(),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 0, max: 10_000 }),
      (stability, seed, id, block) => {
        const check = { id, stability, typicalResponseMilliseconds: 1, runs: [run] };
        const size = stabilities[stability].blockSeconds / resolutionSeconds;
        const first = block * size;
        const last = first + size - 1;
        const disturbances = new Set<string>();
        const wrong: unknown[] = [];

        for (let index = first; index <= last; index++) {
          const stretch = seededStretch(seed, check, run, index);
          const holds = stretch.first <= index && index <= stretch.last;
          if (!holds || stretch.first < first || stretch.last > last) wrong.push(stretch);
          if (stretch.outcome !== 'up') disturbances.add(JSON.stringify(stretch));
        }

        expect(wrong).toEqual([]);
        expect(disturbances.size).toBeLessThanOrEqual(1);
        expect(seededStretch(seed, check, run, last).outcome).toBe('up');
      },
    ),
    { numRuns: 60 },
  );
});
