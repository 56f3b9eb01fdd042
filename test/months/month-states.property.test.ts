import { describe, expect, test } from 'vitest';
import type { StateSpan, TalliedState, TimeRange } from '../../src/domain/interval.ts';
import { present } from '../../src/lib/present.ts';
import { countsIn, lengthOf, type MonthOutage } from '../../src/months/month-record.ts';
import { monthStates } from '../../src/months/month-states.ts';
import { maxChanges } from '../../src/slo/log-bounds.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog, type KnownStates } from '../../src/slo/state-log.ts';
import { extent } from '../support/extent.ts';
import fc from '../support/fast-check.ts';
import { check, dayOracle, daysOf, known, lives, oracle } from './support/drawn-life.ts';

const at = (text: string) => Date.parse(text) / 1000;

/** Without regard to maintenance. */
const beginsIn = (outage: MonthOutage, month: TimeRange) =>
  countsIn(
    present({ ...outage, maintenance: 'none' as const, outsideFromSeconds: undefined }),
    month,
  );

describe('the month of an item', () => {
  test('has the seconds and outages of every second of it and of its days, with and without maintenance', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const { month, occurrences, createdAtSeconds } = life;
        const source = {
          ...check,
          known: known(life),
          occurrences,
          createdAtSeconds: createdAtSeconds ?? 0,
        };
        const { seconds, maintenance, unwatched, outages, days } = monthStates(
          source,
          month,
          daysOf(month),
        );
        const wanted = oracle(life);
        expect(days ?? []).toEqual(dayOracle(life));
        expect({ seconds, maintenance, unwatched: lengthOf(unwatched) }).toEqual({
          seconds: wanted.seconds,
          maintenance: wanted.maintenance,
          unwatched: wanted.unwatched,
        });
        // The oracle sees an outage that began before its creation, which does not exist, as one.
        if (createdAtSeconds !== undefined) return;
        const begun = outages.filter((outage) => beginsIn(outage, month));
        expect(begun).toHaveLength(wanted.outages);
        const starts = life.spans.filter(({ state }) => state === 'down');
        for (const { fromSeconds } of begun) {
          expect(starts.map((span) => span.fromSeconds)).toContain(fromSeconds);
        }
      }),
      { numRuns: extent(20, 2_000) },
    );
  });

  const [october, november] = [
    { fromSeconds: at('2026-10-01T00:00Z'), toSeconds: at('2026-11-01T00:00Z') },
    { fromSeconds: at('2026-11-01T00:00Z'), toSeconds: at('2026-12-01T00:00Z') },
  ];
  /** The log of states that begin at these times, up to a horizon. */
  function logOf(
    changes: readonly (readonly [TalliedState, string])[],
    horizon: string,
    state: TalliedState = 'up',
  ): KnownStates {
    const begins = changes.map(([state, from]) => ({ state, fromSeconds: at(from) }));
    const startSeconds = begins[0]?.fromSeconds ?? 0;
    return {
      states: { startSeconds, horizonSeconds: at(horizon), state },
      log: { ...emptyLog(startSeconds), changes: StateChanges.of(begins) },
    };
  }
  test('shares an outage over its end with the next month, which does not count it', () => {
    const states = logOf(
      [
        ['up', '2026-09-20T00:00Z'],
        ['down', '2026-10-31T23:50Z'],
        ['up', '2026-11-01T00:30Z'],
      ],
      '2026-12-01T00:10Z',
    );
    const [first, second] = [october, november].map((month) =>
      monthStates({ known: states, ...check }, month),
    );
    expect([first?.seconds.down, second?.seconds.down]).toEqual([600, 1_800]);
    const outage: MonthOutage = {
      fromSeconds: at('2026-10-31T23:50Z'),
      toSeconds: at('2026-11-01T00:30Z'),
      causes: [],
      maintenance: 'none',
    };
    expect([first?.outages, second?.outages]).toEqual([[outage], [outage]]);
    expect([october, november].map((month) => countsIn(outage, month))).toEqual([true, false]);
  });

  test('has an outage that goes on without an end, and its known causes', () => {
    const known = logOf(
      [
        ['up', '2026-10-01T00:00Z'],
        ['down', '2026-10-31T22:00Z'],
      ],
      '2026-11-01T00:01Z',
      'down',
    );
    const notes = [
      { atSeconds: at('2026-10-30T00:00Z'), cause: 'long before' },
      { atSeconds: at('2026-10-31T21:59Z'), cause: 'Timeout' },
      { atSeconds: at('2026-10-31T23:00Z'), cause: 'HTTP 500' },
    ];
    expect(monthStates({ ...check, known, notes }, october).outages).toEqual([
      {
        fromSeconds: at('2026-10-31T22:00Z'),
        causes: ['Timeout', 'HTTP 500'],
        maintenance: 'none',
      },
    ]);
  });

  test('tells outages apart that follow each other at one good test', () => {
    const known = logOf(
      [
        ['up', '2026-10-01T00:00Z'],
        ['down', '2026-10-05T00:00Z'],
        ['down', '2026-10-05T01:00Z'],
        ['up', '2026-10-05T02:00Z'],
      ],
      '2026-11-01T00:00Z',
    );
    expect(monthStates({ ...check, known }, october).outages).toHaveLength(2);
  });

  test('marks outages in maintenance', () => {
    const known = logOf(
      [
        ['up', '2026-10-01T00:00Z'],
        ['down', '2026-10-05T00:00Z'],
        ['up', '2026-10-05T01:00Z'],
        ['down', '2026-10-06T00:30Z'],
        ['up', '2026-10-06T02:00Z'],
      ],
      '2026-11-01T00:00Z',
    );
    const occurrences = [5, 6].map((day) => ({
      fromSeconds: at(`2026-10-0${day}T00:00Z`),
      toSeconds: at(`2026-10-0${day}T01:00Z`),
    }));
    const { outages, seconds, maintenance } = monthStates(
      { ...check, known, occurrences },
      october,
    );
    expect(outages.map(({ maintenance }) => maintenance)).toEqual(['whole', 'part']);
    expect(outages[1]?.outsideFromSeconds).toBe(at('2026-10-06T01:00Z'));
    expect(outages.map((outage) => countsIn(outage, october))).toEqual([false, true]);
    expect([seconds.down, maintenance?.down, maintenance?.up]).toEqual([9_000, 5_400, 1_800]);
  });

  test('of a check that was up is known by lists, and that of another one by reports', () => {
    const states = {
      startSeconds: at('2026-09-01T00:00Z'),
      horizonSeconds: at('2026-11-01T00:01Z'),
    };
    const up = monthStates({ ...check, known: { states: { ...states, state: 'up' } } }, october);
    expect(up).toEqual({
      ...{ seconds: { up: 2_678_400, down: 0, unknown: 0, unmonitored: 0 } },
      awaited: [],
      unwatched: [],
      outages: [],
      knownBy: 'lists',
    });
    const known = logOf(
      [
        ['up', '2026-10-01T00:00Z'],
        ['unknown', '2026-10-09T00:00Z'],
      ],
      '2026-11-01T00:00Z',
    );
    expect(monthStates({ ...check, known }, october).knownBy).toBe('reports');
  });

  test('of a check whose creation is not reported begins with first sight', () => {
    const states = {
      startSeconds: at('2026-10-20T00:00Z'),
      horizonSeconds: at('2026-11-01T00:01Z'),
      state: 'up',
    } as const;
    const source = { ...check, createdAtSeconds: undefined, known: { states } };
    expect(monthStates(source, october)).toMatchObject({
      ...{ unwatched: [], seconds: { up: 12 * 86_400 } },
    });
    const { up } = monthStates({ ...check, known: { states } }, october).seconds;
    expect(up).toBe(31 * 86_400);
  });

  test('of a check that was watched for twelve days says that the rest is not known', () => {
    const known = logOf(
      [
        ['down', '2026-10-20T00:00Z'],
        ['up', '2026-10-20T01:00Z'],
      ],
      '2026-11-01T00:00Z',
    );
    const { seconds, unwatched, outages } = monthStates({ ...check, known }, october);
    expect([seconds.up + seconds.down, lengthOf(unwatched)]).toEqual([12 * 86_400, 19 * 86_400]);
    expect(outages).toMatchObject([{ fromSeconds: at('2026-10-20T00:00Z'), beganBefore: true }]);
  });

  test('of a check that has been paused for years is not monitored, also before it was first seen', () => {
    const known = logOf([['unmonitored', '2026-10-20T00:00Z']], '2026-11-01T00:00Z', 'unmonitored');
    const paused = { ...check, known, notTestedFromSeconds: at('2019-03-01T00:00Z') };
    expect(monthStates(paused, october)).toMatchObject({
      unwatched: [],
      seconds: { up: 0, down: 0, unknown: 0, unmonitored: 31 * 86_400 },
    });
  });

  test('of a removed check ends with its removal', () => {
    const known = logOf([['up', '2026-09-20T00:00Z']], '2026-10-10T00:00Z');
    const removedAtSeconds = at('2026-10-10T00:05Z');
    expect(monthStates({ ...check, known, removedAtSeconds }, october)).toMatchObject({
      ...{ removedAtSeconds, seconds: { up: 9 * 86_400 } },
      unwatched: [{ fromSeconds: removedAtSeconds - 300, toSeconds: removedAtSeconds }],
    });
  });

  test('keeps the sums of states that were folded, and says how many seconds', () => {
    const flapping = Array.from({ length: maxChanges + 1_000 }, (_, place): StateSpan => {
      const fromSeconds = october.fromSeconds + 100 * place;
      return { state: place % 2 === 0 ? 'up' : 'down', fromSeconds, toSeconds: fromSeconds + 100 };
    });
    const life = {
      month: october,
      spans: flapping,
      past: 0,
      isPastRead: false,
      atOnce: 3,
      occurrences: [],
    };
    const states = known(life);
    const source = { ...check, known: states };
    const month = { ...october, toSeconds: states.states.horizonSeconds };
    const { seconds, folded = 0, unwatched } = monthStates(source, month);
    expect(seconds).toEqual(oracle({ ...life, month }).seconds);
    expect(folded).toBeGreaterThan(90_000);
    expect(unwatched).toEqual([]);
    // A zone whose midnight is not at a full hour cuts a folded hour: whole seconds, none lost.
    const cut = { ...month, fromSeconds: month.fromSeconds + 1_801 };
    const sums = monthStates(source, cut).seconds;
    expect(Object.values(sums).every(Number.isInteger)).toBe(true);
    expect(sums.up + sums.down).toBe(month.toSeconds - cut.fromSeconds);
  });
});
