import { describe, expect, test } from 'vitest';
import { type StateSpan, type TalliedState, talliedStates } from '../../src/domain/interval.ts';
import { orUndefined } from '../../src/lib/or-undefined.ts';
import { present } from '../../src/lib/present.ts';
import { append } from '../../src/slo/log-append.ts';
import { maxChanges } from '../../src/slo/log-bounds.ts';
import { withPast } from '../../src/slo/log-past.ts';
import { errorRanges, rangeLengths, secondsByRange } from '../../src/slo/range-seconds.ts';
import { emptyLog, historySeconds, type StateLog } from '../../src/slo/state-log.ts';
import { logBody, readLog } from '../../src/store/format/items.ts';
import { CorruptRowError } from '../../src/store/format/row.ts';
import { extent } from '../support/extent.ts';
import fc from '../support/fast-check.ts';
import { LifeOfALog } from './support/log-life.ts';

const start = 1_767_225_600;

function stateTally(horizonSeconds: number, state: TalliedState) {
  return { startSeconds: start, horizonSeconds, state };
}

function encoded(log: StateLog): string {
  return JSON.stringify(logBody({ log, version: 1 }));
}

/** Adds spans, a few at a time. Returns the log and its end. */
function booked(
  lengths: readonly (readonly [TalliedState, number])[],
  atOnce: number,
  sealedUntilSeconds?: number,
) {
  let log: StateLog | undefined;
  let at = start;
  const spans: StateSpan[] = [];
  for (let place = 0; place < lengths.length; place += atOnce) {
    const horizon = at;
    const fresh = lengths.slice(place, place + atOnce).map(([state, length]): StateSpan => {
      at += length;
      return { state, fromSeconds: at - length, toSeconds: at };
    });
    // The state at the horizon is that of the last span, so no outage ends there.
    const states = stateTally(horizon, spans.at(-1)?.state ?? 'up');
    const next = stateTally(at, fresh.at(-1)?.state ?? 'up');
    log = append(present({ states, log, sealedUntilSeconds }), fresh, next);
    spans.push(...fresh);
  }
  return { log, spans, end: at };
}

function sum(spans: readonly StateSpan[], state: TalliedState, from: number): number {
  return spans
    .filter((span) => span.state === state && span.toSeconds > from)
    .reduce((total, span) => total + span.toSeconds - Math.max(span.fromSeconds, from), 0);
}

const lengths = (most: number) =>
  fc.array(fc.tuple(fc.constantFrom(...talliedStates), fc.integer({ min: 1, max: most })), {
    minLength: 1,
    maxLength: 60,
  });

describe('a log of states', () => {
  test('counts what a model without a log counts, in lives of 50 lists and reports', () => {
    const lives = extent(800, 20_000);
    for (let seed = 0; seed < lives; seed++) new LifeOfALog({ seed, steps: 50 }).play();
  });

  test('counts the same after its oldest changes were folded', () => {
    const log = new LifeOfALog({ seed: 1, steps: 6_000, isFlapping: true }).play();
    expect(log?.hours.length).toBeGreaterThan(10);
  });

  test('counts every second of its windows, however it was booked', () => {
    fc.assert(
      fc.property(lengths(86_400), fc.integer({ min: 1, max: 5 }), (spansOfTime, atOnce) => {
        const { log, spans, end } = booked(spansOfTime, atOnce);
        const totals = { states: stateTally(end, 'unknown'), ...(log && { log }) };
        const found = secondsByRange(totals, { createdAtSeconds: start, occurrences: [] }, end);
        for (const range of errorRanges) {
          const from = Math.max(start, end - rangeLengths[range]);
          const wanted = { up: sum(spans, 'up', from), down: sum(spans, 'down', from) };
          expect(found[range]).toEqual(wanted);
        }
      }),
    );
  });

  test.each([
    ['up to 4,000 changes is right to the second', maxChanges, 0],
    ['more changes is right to within the hour in which a range begins', 9_000, 3_600],
  ])('of %s', (_, count, mostWrong) => {
    const flapping = Array.from({ length: count }, (_, place): [TalliedState, number] => [
      place % 2 === 0 ? 'up' : 'down',
      60 + ((place * 37) % 200),
    ]);
    const { log, spans, end } = booked(flapping, 3);
    expect(log?.changes.length).toBeLessThanOrEqual(maxChanges);
    expect((log?.hours.length ?? 0) > 10).toBe(mostWrong > 0);
    const totals = { states: stateTally(end, 'up'), ...(log && { log }) };
    const found = secondsByRange(totals, { createdAtSeconds: start, occurrences: [] }, end);
    for (const range of errorRanges) {
      const from = Math.max(start, end - rangeLengths[range]);
      const wrong = Math.abs((found[range]?.down ?? 0) - sum(spans, 'down', from));
      expect(wrong).toBeLessThanOrEqual(mostWrong);
    }
    const text = encoded(log as StateLog);
    expect(readLog(JSON.parse(text)).log).toEqual(log);
    expect(text.length).toBeLessThan(150_000);
  });

  test.each([300, 420])(
    'that is full is cut at an hour: nothing is lost or counted twice, and newer states stay as they were, with states of %i s',
    (length) => {
      const flapping = Array.from({ length: maxChanges + 10 }, (_, place) => {
        return [talliedStates[place % talliedStates.length] ?? 'up', length] as const;
      });
      const { log, spans } = booked(flapping, 3);
      const { hours = [], changes = [] } = log ?? {};
      const [first, ...newer] = changes;
      const cut = first?.fromSeconds ?? 0;

      expect(cut % 3_600).toBe(0);
      expect(hours.at(-1)?.toSeconds).toBe(cut);
      expect(first?.state).toBe(
        spans.find((span) => span.fromSeconds <= cut && span.toSeconds > cut)?.state,
      );
      expect(newer).toEqual(
        spans
          .filter(({ fromSeconds }) => fromSeconds > cut)
          .map(({ state, fromSeconds }) => ({ state, fromSeconds })),
      );
      for (const state of talliedStates) {
        const folded = hours
          .filter(({ fromSeconds }) => fromSeconds >= start)
          .reduce((total, { seconds }) => total + seconds[state], 0);
        const before = spans.filter(({ fromSeconds }) => fromSeconds < cut);
        const clipped = before.map((span) => ({
          ...span,
          toSeconds: Math.min(span.toSeconds, cut),
        }));
        expect({ state, folded }).toEqual({ state, folded: sum(clipped, state, start) });
      }
    },
  );

  describe('of an item that was down once, 80 days ago', () => {
    const day = 86_400;
    const lengthsOfDays = [
      ['up', 3600],
      ['down', 60],
      ...Array.from({ length: 80 }, () => ['up', day] as const),
    ] as const;

    test('has 35 days when all older months have their records', () => {
      const { log, end } = booked(lengthsOfDays, 1, start + 75 * day);
      expect(log?.changes).toHaveLength(1);
      expect(log?.knownFromSeconds).toBeLessThan(end - historySeconds);
    });

    test('has all states since the end of the newest month with a record', () => {
      const sealed = booked(lengthsOfDays, 1, start + 3600);
      expect(sealed.log?.changes.states).toEqual(['down', 'up']);
      expect(booked(lengthsOfDays, 1).log?.changes.states).toEqual(['up', 'down', 'up']);
    });

    test('has at most 400 days of a month that never gets its record', () => {
      const longer = Array.from({ length: 340 }, () => ['up', day] as const);
      const { log } = booked([...lengthsOfDays, ...longer], 1);
      expect(log?.changes.states).toEqual(['up']);
    });
  });

  test('is absent for an item that was always up', () => {
    const twice = [
      ['up', 100],
      ['up', 200],
    ] as const;
    expect(booked(twice, 1).log).toBeUndefined();
  });

  test('takes up the past that is reported later', () => {
    fc.assert(
      fc.property(lengths(40_000), fc.nat(), (spansOfTime, cut) => {
        const { spans, end } = booked(spansOfTime, 1);
        const first = cut % spans.length;
        const seen = spans.slice(first);
        const knownFromSeconds = seen[0]?.fromSeconds ?? end;
        const states = stateTally(knownFromSeconds, 'up');
        const next = stateTally(end, 'unknown');
        const later = append({ states, log: emptyLog(knownFromSeconds) }, seen, next) as StateLog;
        const whole = withPast(later, spans.slice(0, first), end - historySeconds);
        const limits = { createdAtSeconds: start, occurrences: [] };
        const found = secondsByRange({ states: next, log: whole }, limits, end);
        const wanted = sum(spans, 'down', Math.max(start, end - rangeLengths['30d']));
        expect(found['30d']?.down).toBe(wanted);
      }),
    );
  });

  test('that is corrupt is refused or is a log', () => {
    const { log } = booked(
      [
        ['up', 50],
        ['down', 60],
        ['up', 70],
        ['unknown', 5],
      ],
      4,
    );
    const bytes = Buffer.from(encoded(log as StateLog));
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const parsed = orUndefined(() => JSON.parse(damaged.toString()));
      if (parsed === undefined) continue;
      try {
        const { changes } = readLog(parsed).log;
        expect(changes.states.every((state) => talliedStates.includes(state))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(CorruptRowError);
      }
    }
  });
});
