import { expect, test } from 'vitest';
import type { Result } from '../../src/domain/results.ts';
import { countriesOf } from '../../src/tally/country-tally.ts';
import { countResults, type ResultTally, startResultTally } from '../../src/tally/result-tally.ts';
import { nextRange, rereadSeconds, settlingLagSeconds } from '../../src/tally/watermark.ts';
import fc from '../support/fast-check.ts';

const bounds = [0.1, 0.5, 1];
const start = 10_000;
const countryOf = countriesOf([
  { id: 1, name: 'Stockholm', countryIso: 'SE' },
  { id: 2, name: 'Malmö', countryIso: 'SE' },
]);

function result(atSeconds: number, probeId: number, milliseconds?: number): Result {
  return milliseconds === undefined
    ? { atSeconds, probeId, status: 'down' }
    : { atSeconds, probeId, status: 'up', responseTimeSeconds: milliseconds / 1000 };
}

test('results are counted by status and response time', () => {
  const results = [
    result(start, 1, 100),
    result(start + 1, 1, 101),
    result(start + 2, 1),
    result(start + 3, 1, 5000),
  ];

  const tally = countResults(
    startResultTally(start, bounds),
    { fromSeconds: start, toSeconds: start + 60 },
    results,
  );

  expect(tally.counts).toEqual({ up: 3, down: 1, unconfirmed_down: 0, unknown: 0 });
  expect(tally.responseTimes).toEqual({
    boundsSeconds: bounds,
    counts: [1, 1, 0, 1],
    sumMilliseconds: 5201,
  });
});

test('a response time of 0 is counted, a missing one is not', () => {
  const tally = countResults(
    startResultTally(start, bounds),
    { fromSeconds: start, toSeconds: start + 60 },
    [result(start, 1, 0), result(start + 1, 1)],
  );

  expect(tally.responseTimes).toMatchObject({ counts: [1, 0, 0, 0], sumMilliseconds: 0 });
});

test('results are counted by the country of the probe only when it is asked for', () => {
  const range = { fromSeconds: start, toSeconds: start + 60 };
  const results = [result(start, 1, 100), result(start, 2), result(start + 1, 3, 30)];

  const plain = countResults(startResultTally(start, bounds), range, results);
  const split = countResults(startResultTally(start, bounds), range, results, countryOf);

  expect(plain).not.toHaveProperty('byCountry');
  expect(split.byCountry).toEqual([
    { countryIso: 'SE', results: 2, responseTimes: 1, sumMilliseconds: 100 },
    { countryIso: 'unknown', results: 1, responseTimes: 1, sumMilliseconds: 30 },
  ]);
});

test('countries are counted from when they are asked for, and given up when they are not any more', () => {
  const counted = (tally: ResultTally, second: number, asked: boolean) =>
    countResults(
      tally,
      { fromSeconds: second, toSeconds: second + 1 },
      [result(second, 1, 7)],
      asked ? countryOf : undefined,
    );
  const before = counted(startResultTally(start, bounds), start, false);

  const asked = counted(before, start + 1, true);
  const off = counted(asked, start + 2, false);
  const again = counted(off, start + 3, true);

  const once = [{ countryIso: 'SE', results: 1, responseTimes: 1, sumMilliseconds: 7 }];
  expect(asked.byCountry).toEqual(once);
  expect(off).not.toHaveProperty('byCountry');
  expect(again.byCountry).toEqual(once);
  expect(again.counts.up).toBe(4);
});

test('two probes in one second are two results, the same one twice is one', () => {
  const results = [result(start, 1, 10), result(start, 2, 10), result(start, 1, 10)];
  const range = { fromSeconds: start, toSeconds: start + 60 };

  const tally = countResults(startResultTally(start, bounds), range, results);

  expect(tally.counts.up).toBe(2);
});

test('nothing from before the start is counted', () => {
  const range = { fromSeconds: start - 500, toSeconds: start + 60 };

  const tally = countResults(startResultTally(start, bounds), range, [result(start - 1, 1)]);

  expect(tally.counts.down).toBe(0);
});

const events = fc.array(
  fc.record({
    at: fc.integer({ min: start, max: start + 5000 }),
    probe: fc.integer({ min: 1, max: 3 }),
    late: fc.nat(settlingLagSeconds + rereadSeconds - 1),
    ms: fc.option(fc.integer({ min: 1, max: 3000 }), { nil: undefined }),
  }),
);

/** Sorted by numbers that are unrelated to the items. */
function shuffled<T>(items: readonly T[], order: readonly number[]): T[] {
  return items
    .map((item, index) => ({ item, rank: order[index % order.length] ?? 0 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

const steps = fc.array(fc.integer({ min: 1, max: 250 }));
const orders = fc.array(fc.integer(), { minLength: 1, maxLength: 20 });

test('however readings fall, late and repeated results are counted once, and no count steps back', () => {
  fc.assert(
    fc.property(events, steps, orders, (all, steps, order) => {
      const truth = new Map(all.map((event) => [`${event.at} ${event.probe}`, event]));
      let tally = startResultTally(start, bounds);
      let now = start;
      for (const step of [...steps, ...new Array<number>(100).fill(100)]) {
        now += step;
        const range = nextRange(tally.watermark, now, 3600);
        if (range === undefined) continue;
        const listed = [...truth.values()]
          .filter(
            ({ at, late }) => at >= range.fromSeconds && at <= range.toSeconds && at + late <= now,
          )
          .map(({ at, probe, ms }) => result(at, probe, ms));
        const next = countResults(tally, range, shuffled([...listed, ...listed], order), countryOf);
        expect(next.counts.up).toBeGreaterThanOrEqual(tally.counts.up);
        tally = next;
      }
      const times = [...truth.values()].flatMap(({ ms }) => ms ?? []);
      expect(tally.counts.up).toBe(times.length);
      expect(tally.counts.down).toBe(truth.size - times.length);
      expect(tally.responseTimes.sumMilliseconds).toBe(times.reduce((sum, ms) => sum + ms, 0));
      const fromSweden = [...truth.values()].filter(({ probe }) => probe !== 3);
      const sum = (key: 'results' | 'responseTimes' | 'sumMilliseconds') =>
        (tally.byCountry ?? []).reduce((total, country) => total + country[key], 0);
      expect(tally.byCountry?.find(({ countryIso }) => countryIso === 'SE')?.results ?? 0).toBe(
        fromSweden.length,
      );
      expect(sum('results')).toBe(truth.size);
      expect(sum('responseTimes')).toBe(times.length);
      expect(sum('sumMilliseconds')).toBe(tally.responseTimes.sumMilliseconds);
      expect(tally.responseTimes.counts).toEqual([
        times.filter((ms) => ms <= 100).length,
        times.filter((ms) => ms > 100 && ms <= 500).length,
        times.filter((ms) => ms > 500 && ms <= 1000).length,
        times.filter((ms) => ms > 1000).length,
      ]);
    }),
  );
});
