import { describe, expect, test } from 'vitest';
import { Past } from '../../../src/backfill/series/past-series.ts';
import { decodeStates, encodeStates } from '../../../src/backfill/series/past-states.ts';
import { fineFromOf, sampleTimes } from '../../../src/backfill/series/sample-times.ts';
import { type StateSpan, talliedStates } from '../../../src/domain/interval.ts';
import { availabilityOf } from '../../../src/state/items/totals.ts';
import { noSeconds } from '../../../src/tally/state-tally.ts';
import fc from '../../support/fast-check.ts';

const begin = 1_700_000_000;

/** Spans from `begin` on. Neighbours have different states. */
const spansOf = fc
  .array(fc.tuple(fc.constantFrom(...talliedStates), fc.integer({ min: 1, max: 20 })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => {
    const spans: StateSpan[] = [];
    for (const [state, length] of parts) {
      const last = spans.at(-1);
      if (last?.state === state) continue;
      const fromSeconds = last?.toSeconds ?? begin;
      spans.push({ state, fromSeconds, toSeconds: fromSeconds + length });
    }
    return spans;
  });

type Maintenance = readonly (readonly [from: number, to: number])[];

function pastOf(spans: readonly StateSpan[], maintenance: Maintenance = []): Past {
  const toSeconds = spans.at(-1)?.toSeconds ?? begin;
  return new Past({
    ...{ kind: 'check', id: 1, labels: {}, firstSeenSeconds: toSeconds },
    past: { fromSeconds: begin, toSeconds, states: encodeStates(spans) },
    maintenance: maintenance.map(([from, to]) => [from, to]),
  });
}

/** Second by second. */
function countedTo(spans: readonly StateSpan[], end: number, maintenance: Maintenance = []) {
  const maintenanceSeconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  let outages = 0;
  let before: string | undefined;
  for (let at = begin; at < end; at++) {
    const span = spans.find(({ fromSeconds, toSeconds }) => fromSeconds <= at && at < toSeconds);
    if (span === undefined) break;
    seconds[span.state] += 1;
    if (maintenance.some(([from, to]) => from <= at && at < to))
      maintenanceSeconds[span.state] += 1;
    if (span.state === 'down' && before !== undefined && before !== 'down') outages += 1;
    before = span.state;
  }
  return { seconds, outages, maintenanceSeconds };
}

describe('the counters of a past', () => {
  const moment = fc.nat(300).map((after) => begin + after);
  const maintenanceOf = fc.array(
    fc
      .tuple(moment, fc.integer({ min: 1, max: 30 }))
      .map(([at, length]) => [at, at + length] as const),
    { maxLength: 3 },
  );

  test('are at every moment those that are counted second by second', () => {
    fc.assert(
      fc.property(spansOf, maintenanceOf, (spans, maintenance) => {
        const end = spans.at(-1)?.toSeconds ?? begin;
        const moments = Array.from({ length: end - begin + 3 }, (_, place) => begin + place);
        const counted = pastOf(spans, maintenance).totalsAt(moments).map(availabilityOf);
        expect(
          counted.map(({ seconds, outages, maintenanceSeconds }) => ({
            seconds,
            outages,
            maintenanceSeconds: maintenanceSeconds ?? noSeconds,
          })),
        ).toEqual(moments.map((at) => countedTo(spans, at, maintenance)));
      }),
    );
  });

  test('do not depend on the moments that were asked for before', () => {
    const moments = fc
      .uniqueArray(moment, { minLength: 1, maxLength: 4 })
      .map((all) => all.toSorted());
    fc.assert(
      fc.property(spansOf, fc.array(moments, { maxLength: 4 }), (spans, asked) => {
        const past = pastOf(spans);
        for (const some of asked) {
          const counted = past.totalsAt(some).map((totals) => availabilityOf(totals).seconds);
          expect(counted).toEqual(some.map((at) => countedTo(spans, at).seconds));
        }
      }),
    );
  });
});

describe('states as text', () => {
  test('are read back as they were', () => {
    fc.assert(
      fc.property(spansOf, (spans) => {
        expect(decodeStates(encodeStates(spans), begin)).toEqual(spans);
      }),
    );
  });

  test('that are none are refused', () => {
    for (const text of ['x1', 'u', 'u-1', 'u1.5', 'u1  d1', 'u0']) {
      expect(() => decodeStates(text, begin)).toThrow(SyntaxError);
    }
    expect(decodeStates('', begin)).toEqual([]);
  });
});

describe('the times of samples', () => {
  const day = 86_400;
  const midnight = Date.UTC(2026, 0, 5) / 1000;
  const firstSeenSeconds = midnight + 12 * 3_600 + 17;
  const range = { fromSeconds: midnight - 40 * day + 123, toSeconds: firstSeenSeconds };
  const outage = midnight - 35 * day + 4 * 3_600 + 600;
  const spans = [
    { state: 'up', fromSeconds: range.fromSeconds, toSeconds: outage },
    { state: 'down', fromSeconds: outage, toSeconds: outage + 60 },
    { state: 'up', fromSeconds: outage + 60, toSeconds: range.toSeconds },
  ] as const;
  const past = { range, firstSeenSeconds, spans };
  const timesOf = (dayStart: number) =>
    sampleTimes(past, { fromSeconds: dayStart, toSeconds: dayStart + day }, midnight - 30 * day);

  test('are the beginning and every hour', () => {
    const first = midnight - 40 * day;
    const hours = Array.from({ length: 23 }, (_, hour) => first + (hour + 1) * 3_600);
    expect(timesOf(first)).toEqual([range.fromSeconds, ...hours]);
    expect(timesOf(first - day)).toEqual([]);
  });

  test('are every five minutes in an hour in which a state changed, and in the last 30 days', () => {
    const times = timesOf(midnight - 35 * day);
    expect(times).toHaveLength(24 + 11);
    expect(
      times.filter((at) => at % 3_600 !== 0).map((at) => Math.floor(at / 3_600) * 3_600),
    ).toEqual(Array(11).fill(midnight - 35 * day + 4 * 3_600));
    expect(timesOf(midnight - 31 * day)).toHaveLength(24);
    expect(timesOf(midnight - 30 * day)).toHaveLength(288);
    expect(fineFromOf(midnight + 100)).toBe(midnight - 30 * day);
  });

  test('end a millisecond before the live counters begin', () => {
    const times = timesOf(midnight);
    expect(times.at(-2)).toBe(midnight + 12 * 3_600);
    expect(times.at(-1)).toBe(firstSeenSeconds - 0.001);
    expect(timesOf(midnight + day)).toEqual([]);
  });

  test('ascend, whatever the range', () => {
    fc.assert(
      fc.property(fc.nat(90_000), fc.nat(90_000), (start, length) => {
        const fromSeconds = midnight + start;
        const toSeconds = fromSeconds + length + 1;
        const spans = [{ state: 'up' as const, fromSeconds, toSeconds }];
        const item = {
          range: { fromSeconds, toSeconds },
          firstSeenSeconds: toSeconds,
          spans,
        };
        const days = [0, 1, 2].flatMap((place) => {
          const dayStart = midnight + place * day;
          const within = { fromSeconds: dayStart, toSeconds: dayStart + day };
          return sampleTimes(item, within, midnight + day);
        });
        expect(days).toEqual([...new Set(days)].sort((a, b) => a - b));
        expect(days[0]).toBe(fromSeconds);
        expect(days.at(-1)).toBe(toSeconds - 0.001);
      }),
    );
  });
});
