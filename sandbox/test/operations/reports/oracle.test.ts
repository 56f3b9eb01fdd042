import { expect, test } from 'vitest';
import { World } from '../../../src/account/world.ts';
import { sandboxOperations } from '../../../src/operations/operations.ts';
import { wireWith } from '../../../src/wire.ts';
import fc from '../../support/fast-check.ts';

// What the documents say about reports, found in the slowest and plainest way: from the planted
// outcomes alone, one second after the other.

type State = 'up' | 'down' | 'unknown';
interface Span {
  readonly status: State;
  readonly from: number;
  readonly to: number;
}

const hour = 3600;
const day = 86_400;
const startedAt = Date.UTC(2026, 0, 5, 12) / 1000;

/** A check that is tested at `phase` and every `resolution` seconds from there, with these outcomes. */
class Oracle {
  readonly #spans: readonly Span[];
  readonly #resolution: number;
  readonly #phase: number;
  readonly #now: number;

  constructor(spans: readonly Span[], resolution: number, phase: number, now: number) {
    this.#spans = spans;
    this.#resolution = resolution;
    this.#phase = phase;
    this.#now = now;
  }

  isTest(second: number): boolean {
    return second <= this.#now && (second - this.#phase) % this.#resolution === 0;
  }

  outcome(testAt: number): State {
    const span = this.#spans.findLast(({ from, to }) => from <= testAt && testAt < to);
    if (span === undefined) throw new Error(`nothing is planted at ${testAt}`);
    return span.status;
  }

  fails(testAt: number): boolean {
    return this.isTest(testAt) && this.outcome(testAt) === 'down';
  }

  /** The first failed test of a row is not confirmed. */
  result(testAt: number): string {
    const outcome = this.outcome(testAt);
    return outcome === 'down' && !this.fails(testAt - this.#resolution)
      ? 'unconfirmed_down'
      : outcome;
  }

  /** The state of the last test lasts until the next one; one failed test alone is not an outage. */
  state(testAt: number): State {
    const outcome = this.outcome(testAt);
    if (outcome !== 'down') return outcome;
    const isConfirmed =
      this.fails(testAt - this.#resolution) || this.fails(testAt + this.#resolution);
    return isConfirmed ? 'down' : 'up';
  }

  /** The state of every second in [from, to). */
  seconds(from: number, to: number): State[] {
    let test = from;
    while (!this.isTest(test)) test -= 1;
    let state = this.state(test);
    const seconds: State[] = [];
    for (let second = from; second < to; second++) {
      if (this.isTest(second)) state = this.state(second);
      seconds.push(state);
    }
    return seconds;
  }
}

function count(seconds: readonly State[], state: State): number {
  return seconds.filter((each) => each === state).length;
}

/** The spans of equal states that follow each other. */
function statesOf(seconds: readonly State[], from: number) {
  const states: { status: State; timefrom: number; timeto: number }[] = [];
  seconds.forEach((status, at) => {
    const last = states.at(-1);
    if (last?.status === status) last.timeto += 1;
    else states.push({ status, timefrom: from + at, timeto: from + at + 1 });
  });
  return states;
}

const spans = fc.array(
  fc.record({
    status: fc.constantFrom<State>('up', 'down', 'unknown'),
    from: fc.integer({ min: startedAt - 2 * day, max: startedAt + hour }),
    length: fc.oneof(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 5 * hour })),
  }),
  { maxLength: 8 },
);

const accounts = fc
  .record({
    seed: fc.nat(500),
    position: fc.nat(23),
    spans,
    reportsEnd: fc.constantFrom('now' as const, 'last-test' as const),
    ...{ later: fc.nat(hour), before: fc.nat(day), length: fc.integer({ min: 1, max: day }) },
  })
  .map(({ seed, position, spans: drawn, reportsEnd, later, before, length }) => {
    const wire = wireWith({ reportsEnd, timeZone: 'UTC' });
    const world = new World({ seed, checks: 24, startedAt, wire });
    const now = startedAt + later;
    const to = now - before;
    const ask = <T>(name: string, inputs: Readonly<Record<string, string | number>> = {}): T => {
      const operation = sandboxOperations.find((each) => each.name === name);
      const texts = Object.entries(inputs).map(([key, value]) => [key, String(value)]);
      return operation?.run(Object.fromEntries(texts), {
        world,
        now,
        askedAt: now,
        version: '3.1',
      }) as T;
    };
    const entry = ask<{ checks: readonly Entry[] }>('list_checks').checks[position];
    const planted: Span[] = [
      { status: 'up', from: startedAt - 9 * day, to: startedAt + day },
      ...drawn.map(({ status, from, length: seconds }) => ({ status, from, to: from + seconds })),
    ];
    for (const span of planted) world.plant({ checkId: entry?.id ?? 0, ...span });
    return { ask, entry, planted, reportsEnd, now, from: to - length, to };
  })
  // Never paused, and created before all of this.
  .filter(({ entry, from }) => {
    const isTested = entry !== undefined && entry.status !== 'paused';
    return isTested && entry.lasttesttime !== undefined && entry.created < from - day;
  });

interface Entry {
  readonly id: number;
  readonly status: string;
  readonly created: number;
  readonly resolution: number;
  readonly lasttesttime?: number;
}
interface Interval {
  readonly starttime: number;
  readonly uptime: number;
  readonly downtime: number;
  readonly unmonitored: number;
}

/** Plays accounts; `check` gets what the oracle needs and a way to ask about the check. */
function forAll(
  check: (account: {
    readonly oracle: Oracle;
    readonly from: number;
    readonly to: number;
    /** The end of the states in outages and performance. */
    readonly end: number;
    read<T>(name: string, inputs?: Readonly<Record<string, string | number>>): T;
  }) => void,
): void {
  fc.assert(
    fc.property(accounts, ({ ask, entry, planted, reportsEnd, now, from, to }) => {
      const { id = 0, resolution = 1, lasttesttime = 0 } = entry ?? {};
      const oracle = new Oracle(planted, 60 * resolution, lasttesttime, now);
      const end = reportsEnd === 'now' ? to : Math.min(to, lasttesttime);
      const read = <T>(name: string, inputs = {}) =>
        ask<T>(name, { checkid: id, from, to, ...inputs });
      check({ oracle, from, to, end, read });
    }),
    { numRuns: 25 },
  );
}

test('outages have the state of every second up to their end', () => {
  forAll(({ oracle, from, end, read }) => {
    const { summary } = read<{ summary: { states: unknown } }>('list_outages');
    expect(summary.states).toEqual(statesOf(oracle.seconds(from, end), from));
  });
});

test('averages count every second of the period', () => {
  forAll(({ oracle, from, to, read }) => {
    const { summary } = read<{ summary: { status: unknown } }>('get_average', {
      includeuptime: 'true',
    });
    const seconds = oracle.seconds(from, to);
    expect(summary.status).toEqual({
      totalup: count(seconds, 'up'),
      totaldown: count(seconds, 'down'),
      totalunknown: count(seconds, 'unknown'),
    });
  });
});

test('performance counts every second of each hour', () => {
  forAll(({ oracle, from, to, end, read }) => {
    const { summary } = read<{ summary: { hours: readonly Interval[] } }>('get_performance', {
      includeuptime: 'true',
    });
    const expected: Omit<Interval, 'avgresponse'>[] = [];
    for (let starttime = from - (from % hour); starttime < to; starttime += hour) {
      const stop = Math.min(starttime + hour, to);
      const seconds = oracle.seconds(starttime, Math.min(stop, end));
      const [uptime, downtime] = [count(seconds, 'up'), count(seconds, 'down')];
      expected.push({
        starttime,
        uptime,
        downtime,
        unmonitored: stop - starttime - uptime - downtime,
      });
    }
    expect(summary.hours).toMatchObject(expected);
    expect(summary.hours).toHaveLength(expected.length);
  });
});

test('results are the tests of the period, and only good ones have a response time', () => {
  forAll(({ oracle, from, to, read }) => {
    const tests: [number, string, boolean][] = [];
    for (let second = to; second >= from; second--) {
      if (!oracle.isTest(second)) continue;
      const status = oracle.result(second);
      tests.push([second, status, status === 'up']);
    }
    const { results } = read<{
      results: readonly { time: number; status: string; responsetime?: number }[];
    }>('list_results');
    expect(
      results.map(({ time, status, responsetime }) => [time, status, responsetime !== undefined]),
    ).toEqual(tests.slice(0, 1000));
  });
});
