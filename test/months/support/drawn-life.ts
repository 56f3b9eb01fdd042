import {
  type StateSpan,
  type TalliedState,
  type TimeRange,
  talliedStates,
} from '../../../src/domain/interval.ts';
import type { Month } from '../../../src/lib/month-calendar.ts';
import type { MonthSource } from '../../../src/months/month-states.ts';
import { append } from '../../../src/slo/log-append.ts';
import { withPast } from '../../../src/slo/log-past.ts';
import { emptyLog, historySeconds, type KnownStates } from '../../../src/slo/state-log.ts';
import fc from '../../support/fast-check.ts';

const at = (text: string) => Date.parse(text) / 1000;

/** Months whose ends were looked up: two have a change of summer time. */
const months: readonly TimeRange[] = [
  { fromSeconds: at('2026-09-30T22:00Z'), toSeconds: at('2026-10-31T23:00Z') }, // Berlin
  { fromSeconds: at('2027-03-01T05:00Z'), toSeconds: at('2027-04-01T04:00Z') }, // New York
  { fromSeconds: at('2026-01-31T18:30Z'), toSeconds: at('2026-02-28T18:30Z') }, // Kolkata
  { fromSeconds: at('2026-11-01T00:00Z'), toSeconds: at('2026-12-01T00:00Z') }, // UTC
];

/** A check that has existed for long, when the month is over. */
export const check: Omit<MonthSource, 'known'> = {
  kind: 'check',
  createdAtSeconds: 0,
  occurrences: [],
  isPastRead: false,
  isLateAwaited: false,
  nowSeconds: Number.MAX_SAFE_INTEGER,
};

export interface Life {
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

export const lives: fc.Arbitrary<Life> = fc
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
export function known({ spans, past, isPastRead, atOnce }: Life): KnownStates {
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
  if (isPastRead) log = withPast(log, spans.slice(0, past), states.horizonSeconds - historySeconds);
  return { states, log };
}

/**
 * The month second by second, in other code: an array with the state of each second, which is 0
 * before anything is known, and one with the maintenance of each second. Seconds in which nothing
 * begins or ends are like the one before.
 */
export function oracle({
  month,
  spans,
  past,
  isPastRead,
  occurrences,
  createdAtSeconds = 0,
}: Life) {
  const length = month.toSeconds - month.fromSeconds;
  // One second more, so that an outage that began before the month is recognized.
  const [states, planned] = [new Uint8Array(length + 1), new Uint8Array(length + 1)];
  const changes = new Set<number>();
  const paint = (on: Uint8Array, value: number, { fromSeconds, toSeconds }: TimeRange) => {
    const place = (seconds: number) =>
      Math.min(Math.max(seconds - month.fromSeconds + 1, 0), length + 1);
    const [begin, end] = [place(fromSeconds), place(toSeconds)];
    on.fill(value, begin, end);
    changes.add(begin).add(end);
  };
  for (const span of spans.slice(isPastRead ? 0 : past)) {
    paint(states, 1 + talliedStates.indexOf(span.state), span);
  }
  for (const occurrence of occurrences) paint(planned, 1, occurrence);
  // For each state the seconds outside maintenance, and those in it.
  const sums = new Uint32Array(10);
  let outages = 0;
  const down = 1 + talliedStates.indexOf('down');
  const born = Math.max(0, createdAtSeconds - month.fromSeconds);
  // What was down when the watch began with the month may have begun earlier.
  let before = born === 0 && states[0] === 0 ? down : states[born];
  const inLife = [...changes].filter((place) => place > born + 1 && place <= length);
  const begins = born < length ? [born + 1, ...inLife.sort((a, b) => a - b)] : [];
  for (const [at, place] of begins.entries()) {
    const state = states[place] ?? 0;
    const sum = 2 * state + (planned[place] ?? 0);
    sums[sum] = (sums[sum] ?? 0) + (begins[at + 1] ?? length + 1) - place;
    if (state === down && before !== down) outages += 1;
    before = state;
  }
  const maintained = (state: number) => sums[2 * state + 1] ?? 0;
  const all = (state: number) => (sums[2 * state] ?? 0) + maintained(state);
  const byState = (of: (state: number) => number) =>
    Object.fromEntries(talliedStates.map((state, place) => [state, of(1 + place)]));
  return {
    seconds: byState(all),
    maintenance: talliedStates.some((_, place) => maintained(1 + place) > 0)
      ? byState(maintained)
      : undefined,
    unwatched: all(0),
    outages,
  };
}

/** Days of different lengths, as summer time makes them. */
export function daysOf({ fromSeconds, toSeconds }: TimeRange): readonly number[] {
  const begins: number[] = [];
  for (let at = fromSeconds; at < toSeconds; at += begins.length % 9 === 0 ? 82_800 : 90_000) {
    begins.push(at);
  }
  return begins;
}

/** A time in three parts, whose ends are those of days. */
export function partsOf(time: TimeRange): Month[] {
  const begins = daysOf(time);
  const cuts = [begins[0], begins[9], begins[20], time.toSeconds].map((cut) => cut ?? 0);
  return [0, 1, 2].map((place) => ({
    ...{ name: `2026-0${place + 1}`, zone: 'UTC' },
    fromSeconds: cuts[place] ?? 0,
    toSeconds: cuts[place + 1] ?? 0,
  }));
}

/** The days on which not all known time was up, in other code: see `oracle`. */
export function dayOracle(life: Life) {
  const begins = daysOf(life.month);
  return begins.flatMap((fromSeconds, place) => {
    const month = { fromSeconds, toSeconds: begins[place + 1] ?? life.month.toSeconds };
    const { seconds, maintenance } = oracle({ ...life, month });
    const down = (seconds.down ?? 0) - (maintenance?.down ?? 0);
    const counted = (seconds.up ?? 0) - (maintenance?.up ?? 0) + down;
    const known = Object.values(seconds).reduce<number>((sum, one) => sum + (one ?? 0), 0);
    const uncounted = known - counted;
    return down > 0 || uncounted > 0 ? [{ place, down, uncounted }] : [];
  });
}
