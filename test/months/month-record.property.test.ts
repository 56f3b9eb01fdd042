import { describe, expect, test } from 'vitest';
import {
  type StateSpan,
  type TalliedState,
  type TimeRange,
  talliedStates,
} from '../../src/domain/interval.ts';
import { beginsIn, monthStates } from '../../src/months/month-record.ts';
import { append } from '../../src/slo/log-append.ts';
import { maxChanges } from '../../src/slo/log-bounds.ts';
import { withPast } from '../../src/slo/log-past.ts';
import { emptyLog, type KnownStates } from '../../src/slo/state-log.ts';
import { extent } from '../support/extent.ts';
import fc from '../support/fast-check.ts';

const at = (text: string) => Date.parse(text) / 1000;

/** Months whose ends were looked up: two have a change of summer time. */
const months: readonly TimeRange[] = [
  { fromSeconds: at('2026-09-30T22:00Z'), toSeconds: at('2026-10-31T23:00Z') }, // Berlin
  { fromSeconds: at('2027-03-01T05:00Z'), toSeconds: at('2027-04-01T04:00Z') }, // New York
  { fromSeconds: at('2026-01-31T18:30Z'), toSeconds: at('2026-02-28T18:30Z') }, // Kolkata
  { fromSeconds: at('2026-11-01T00:00Z'), toSeconds: at('2026-12-01T00:00Z') }, // UTC
];

interface Life {
  readonly month: TimeRange;
  /** The states, without gaps. The horizon passes the end of the month with the last ones. */
  readonly spans: readonly StateSpan[];
  /** How many of the first spans are the past, which a report shows later. */
  readonly past: number;
  readonly isPastRead: boolean;
  readonly atOnce: number;
  readonly occurrences: readonly TimeRange[];
  readonly createdAtSeconds?: number;
}

const states = fc.constantFrom<TalliedState>('up', 'up', 'down', ...talliedStates);
const lengths = fc.oneof(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1, max: 300_000 }));

const lives: fc.Arbitrary<Life> = fc
  .record({
    month: fc.constantFrom(...months),
    drawn: fc.array(fc.tuple(states, lengths), { minLength: 40, maxLength: 60 }),
    lead: fc.integer({ min: -20, max: 3 }),
    past: fc.nat(12),
    isPastRead: fc.boolean(),
    atOnce: fc.integer({ min: 1, max: 4 }),
    planned: fc.array(fc.tuple(fc.nat(35 * 24), fc.integer({ min: 1, max: 90_000 })), {
      maxLength: 6,
    }),
    created: fc.option(fc.nat(20), { nil: undefined }),
  })
  .map(({ month, drawn, lead, planned, created, ...life }) => {
    const spans: StateSpan[] = [];
    let from = month.fromSeconds - lead * 86_400;
    for (const [state, length] of drawn) {
      if (from > month.toSeconds) break;
      spans.push({ state, fromSeconds: from, toSeconds: from + length });
      from += length;
    }
    if (from <= month.toSeconds) {
      spans.push({ state: 'up', fromSeconds: from, toSeconds: month.toSeconds + 60 });
    }
    const occurrences = planned.map(([hour, length]) => {
      const fromSeconds = month.fromSeconds - 86_400 + hour * 3_600;
      return { fromSeconds, toSeconds: fromSeconds + length };
    });
    return {
      ...life,
      month,
      spans,
      occurrences,
      past: Math.min(life.past, spans.length - 1),
      ...(created !== undefined && {
        createdAtSeconds: month.fromSeconds + (created - 4) * 86_400,
      }),
    };
  });

/** What the exporter knows after it has counted the states, some at a time. */
function known({ spans, past, isPastRead, atOnce }: Life): KnownStates {
  const seen = spans.slice(past);
  const startSeconds = seen[0]?.fromSeconds ?? 0;
  let states = { startSeconds, horizonSeconds: startSeconds, state: seen[0]?.state ?? 'up' };
  let log = emptyLog(startSeconds);
  for (let place = 0; place < seen.length; place += atOnce) {
    const fresh = seen.slice(place, place + atOnce);
    const horizonSeconds = fresh.at(-1)?.toSeconds ?? startSeconds;
    const state = seen[place + atOnce]?.state ?? 'up';
    log = append({ states, log }, fresh, { horizonSeconds, state }) ?? log;
    states = { ...states, horizonSeconds, state };
  }
  if (isPastRead) log = withPast(log, spans.slice(0, past), states.horizonSeconds);
  return { states, log };
}

/**
 * The month second by second, in other code: an array with the state of each second, which is 0
 * before anything is known, and one with the maintenance of each second.
 */
function oracle({ month, spans, past, isPastRead, occurrences, createdAtSeconds = 0 }: Life) {
  const length = month.toSeconds - month.fromSeconds;
  // One second more, so that an outage that began before the month is recognized.
  const [states, planned] = [new Uint8Array(length + 1), new Uint8Array(length + 1)];
  const paint = (on: Uint8Array, value: number, { fromSeconds, toSeconds }: TimeRange) => {
    const place = (seconds: number) =>
      Math.min(Math.max(seconds - month.fromSeconds + 1, 0), length + 1);
    on.fill(value, place(fromSeconds), place(toSeconds));
  };
  for (const span of spans.slice(isPastRead ? 0 : past)) {
    paint(states, 1 + talliedStates.indexOf(span.state), span);
  }
  for (const occurrence of occurrences) paint(planned, 1, occurrence);
  const seconds = [0, 0, 0, 0, 0];
  const inMaintenance = [0, 0, 0, 0, 0];
  let outages = 0;
  const down = 1 + talliedStates.indexOf('down');
  const born = Math.max(0, createdAtSeconds - month.fromSeconds);
  for (let second = born; second < length; second++) {
    const state = states[second + 1] ?? 0;
    seconds[state] = (seconds[state] ?? 0) + 1;
    if (planned[second + 1] === 1) inMaintenance[state] = (inMaintenance[state] ?? 0) + 1;
    // What was down when the watch began with the month may have begun earlier.
    const isCut = second === 0 && states[0] === 0;
    if (state === down && states[second] !== down && !isCut) outages += 1;
  }
  const byState = ([, ...of]: readonly number[]) =>
    Object.fromEntries(talliedStates.map((state, place) => [state, of[place]]));
  const [, ...maintained] = inMaintenance;
  return {
    seconds: byState(seconds),
    maintenance: maintained.some((sum) => sum > 0) ? byState(inMaintenance) : undefined,
    unwatched: seconds[0],
    outages,
  };
}

describe('the month of an item', () => {
  test('has the seconds and outages of every second of it, with and without maintenance', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const { month, occurrences, createdAtSeconds } = life;
        const source = {
          known: known(life),
          kind: 'check',
          occurrences,
          createdAtSeconds,
        } as const;
        const { seconds, maintenance, unwatched, outages } = monthStates(source, month);
        const wanted = oracle(life);
        expect({ seconds, maintenance, unwatched }).toEqual({
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
      log: { ...emptyLog(startSeconds), changes: begins },
    };
  }
  const check = { kind: 'check', occurrences: [] } as const;

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
    const outage = {
      fromSeconds: at('2026-10-31T23:50Z'),
      toSeconds: at('2026-11-01T00:30Z'),
      causes: [],
      maintenance: 'none',
    };
    expect([first?.outages, second?.outages]).toEqual([[outage], [outage]]);
    expect([october, november].map((month) => beginsIn(outage, month))).toEqual([true, false]);
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
    expect([seconds.down, maintenance?.down, maintenance?.up]).toEqual([9_000, 5_400, 1_800]);
  });

  test('of a check that was up is known by lists, and that of another one by reports', () => {
    const states = {
      startSeconds: at('2026-09-01T00:00Z'),
      horizonSeconds: at('2026-11-01T00:01Z'),
    };
    const up = monthStates({ ...check, known: { states: { ...states, state: 'up' } } }, october);
    expect(up).toEqual({
      ...{ seconds: { up: 2_678_400, down: 0, unknown: 0, unmonitored: 0 }, unwatched: 0 },
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

  test('of a new check has no unwatched time before it was created', () => {
    const createdAtSeconds = at('2026-10-20T00:00Z');
    const states = {
      startSeconds: createdAtSeconds + 100,
      horizonSeconds: at('2026-11-01T00:01Z'),
      state: 'up',
    } as const;
    expect(monthStates({ ...check, known: { states }, createdAtSeconds }, october)).toMatchObject({
      ...{ createdAtSeconds, unwatched: 0, seconds: { up: 12 * 86_400 } },
    });
  });

  test('of a check whose creation is not reported is not known before first sight', () => {
    const states = {
      startSeconds: at('2026-10-20T00:00Z'),
      horizonSeconds: at('2026-11-01T00:01Z'),
      state: 'up',
    } as const;
    expect(monthStates({ ...check, known: { states } }, october)).toMatchObject({
      ...{ unwatched: 19 * 86_400, seconds: { up: 12 * 86_400 } },
    });
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
    expect([seconds.up + seconds.down, unwatched]).toEqual([12 * 86_400, 19 * 86_400]);
    expect(outages).toMatchObject([{ fromSeconds: at('2026-10-20T00:00Z'), beganBefore: true }]);
  });

  test('of a removed check ends with its removal', () => {
    const known = logOf([['up', '2026-09-20T00:00Z']], '2026-10-10T00:00Z');
    const removedAtSeconds = at('2026-10-10T00:05Z');
    expect(monthStates({ ...check, known, removedAtSeconds }, october)).toMatchObject({
      ...{ removedAtSeconds, unwatched: 300, seconds: { up: 9 * 86_400 } },
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
    expect(unwatched).toBe(0);
    // A zone whose midnight is not at a full hour cuts a folded hour: whole seconds, none lost.
    const cut = { ...month, fromSeconds: month.fromSeconds + 1_801 };
    const sums = monthStates(source, cut).seconds;
    expect(Object.values(sums).every(Number.isInteger)).toBe(true);
    expect(sums.up + sums.down).toBe(month.toSeconds - cut.fromSeconds);
  });
});
