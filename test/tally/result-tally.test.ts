import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Result } from '../../src/domain/result.ts';
import { resultQueries } from '../../src/tally/result-queries.ts';
import { countResults, startResultTally } from '../../src/tally/result-tally.ts';
import { nextRange, rereadSeconds, settlingLagSeconds } from '../../src/tally/watermark.ts';

const bounds = [0.1, 0.5, 1];
const start = 10_000;

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
    bounds,
  );

  expect(tally.counts).toEqual({ up: 3, down: 1, unconfirmed_down: 0, unknown: 0 });
  expect(tally.responseTimes).toEqual({ counts: [1, 1, 0, 1], sumMilliseconds: 5201 });
});

test('two probes in one second are two results, the same one twice is one', () => {
  const results = [result(start, 1, 10), result(start, 2, 10), result(start, 1, 10)];
  const range = { fromSeconds: start, toSeconds: start + 60 };

  const tally = countResults(startResultTally(start, bounds), range, results, bounds);

  expect(tally.counts.up).toBe(2);
});

test('nothing from before the start is counted', () => {
  const range = { fromSeconds: start - 500, toSeconds: start + 60 };

  const tally = countResults(
    startResultTally(start, bounds),
    range,
    [result(start - 1, 1)],
    bounds,
  );

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

test('however readings fall, late and repeated results are counted once, and no count steps back', () => {
  fc.assert(
    fc.property(events, fc.array(fc.integer({ min: 1, max: 250 })), (all, steps) => {
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
        const next = countResults(tally, range, [...listed, ...listed].reverse(), bounds);
        expect(next.counts.up).toBeGreaterThanOrEqual(tally.counts.up);
        tally = next;
      }
      const times = [...truth.values()].flatMap(({ ms }) => ms ?? []);
      expect(tally.counts.up).toBe(times.length);
      expect(tally.counts.down).toBe(truth.size - times.length);
      expect(tally.responseTimes.sumMilliseconds).toBe(times.reduce((sum, ms) => sum + ms, 0));
      expect(tally.responseTimes.counts).toEqual([
        times.filter((ms) => ms <= 100).length,
        times.filter((ms) => ms > 100 && ms <= 500).length,
        times.filter((ms) => ms > 500 && ms <= 1000).length,
        times.filter((ms) => ms > 1000).length,
      ]);
    }),
  );
});

/** A service that lists newest first and refuses what the API refuses. */
function readAll(results: readonly Result[], fromSeconds: number, toSeconds: number) {
  const queries = resultQueries({ fromSeconds, toSeconds });
  const read: Result[] = [];
  let requests = 0;
  let step = queries.next([]);
  while (!step.done) {
    const query = step.value;
    expect(query.limit).toBeLessThanOrEqual(1000);
    expect(query.offset).toBeLessThanOrEqual(43_200);
    requests += 1;
    const page = results
      .filter(({ atSeconds }) => atSeconds >= query.fromSeconds && atSeconds <= query.toSeconds)
      .sort((a, b) => b.atSeconds - a.atSeconds)
      .slice(query.offset, query.offset + query.limit);
    read.push(...page);
    step = queries.next(page);
  }
  return { read, requests };
}

test('a range with few results is one query', () => {
  expect(readAll([result(start, 1)], start, start + 60).requests).toBe(1);
});

test('past the largest offset the end moves down, and every result is read', () => {
  const many = Array.from({ length: 90_000 }, (_, n) =>
    result(start + Math.floor(n / 3), n % 3, 10),
  );

  const { read, requests } = readAll(many, start, start + 30_000);

  expect(new Set(read.map((r) => `${r.atSeconds} ${r.probeId}`)).size).toBe(90_000);
  expect(requests).toBeLessThan(95);
});

test('a second with more results than can be read does not go on for ever', () => {
  const many = Array.from({ length: 50_000 }, (_, n) => result(start, n));

  expect(readAll(many, start, start).requests).toBe(44);
});
