import { describe, expect, test } from 'vitest';
import type { MonitoredState, StateSpan } from '../../src/domain/interval.ts';
import { countersOf, emptyLog, type KnownStates, openOutage } from '../../src/slo/state-log.ts';
import { withCounted } from '../../src/state/items/totals.ts';
import type { Horizon } from '../../src/tally/advance.ts';
import { applyReport, type StateUpdate } from '../../src/tally/apply-report.ts';
import type { StateTally } from '../../src/tally/state-tally.ts';
import fc from '../support/fast-check.ts';

const tally: StateTally = {
  startSeconds: 900,
  horizonSeconds: 1000,
  state: 'up',
};

/** The counters after a report, of a check that was up until then. */
function countedAfter(update: StateUpdate, before: KnownStates = { states: tally }) {
  return countersOf(withCounted(before, update));
}

function span(
  state: StateSpan<MonitoredState>['state'],
  fromSeconds: number,
  toSeconds: number,
): StateSpan<MonitoredState> {
  return { state, fromSeconds, toSeconds };
}

/** A report that was requested from the tally's horizon on. */
function applied(
  before: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  horizon: Horizon,
): StateUpdate {
  return applyReport(before, states, horizon, before.horizonSeconds);
}

const to = { atSeconds: 2000, state: 'up' } as const;

test('what a report does not cover is unmonitored, and what lies outside is cut off', () => {
  const update = applied(
    tally,
    [span('down', 1500, 1600), span('up', 500, 1100), span('unknown', 1900, 2500)],
    to,
  );

  expect(update.recorded).toEqual([
    { state: 'up', fromSeconds: 1000, toSeconds: 1100 },
    { state: 'unmonitored', fromSeconds: 1100, toSeconds: 1500 },
    { state: 'down', fromSeconds: 1500, toSeconds: 1600 },
    { state: 'unmonitored', fromSeconds: 1600, toSeconds: 1900 },
    { state: 'unknown', fromSeconds: 1900, toSeconds: 2000 },
  ]);
  expect(update.tally.horizonSeconds).toBe(2000);
  expect(countedAfter(update)).toEqual({
    seconds: { up: 200, down: 100, unknown: 100, unmonitored: 700 },
    outages: 1,
    lastOutageSeconds: 100,
  });
});

test('an empty report makes the time unmonitored', () => {
  expect(countedAfter(applied(tally, [], to)).seconds.unmonitored).toBe(1000);
});

test('touching and overlapping spans of one outage count as one', () => {
  const states = [span('down', 1200, 1300), span('down', 1300, 1400), span('down', 1250, 1500)];

  const after = countedAfter(applied(tally, states, to));

  expect(after).toMatchObject({ outages: 1, lastOutageSeconds: 300, seconds: { down: 300 } });
});

test('where states overlap, the one that begins first holds', () => {
  const update = applied(tally, [span('up', 1100, 2000), span('down', 1000, 1200)], to);

  expect(countedAfter(update).seconds).toMatchObject({ down: 200, up: 100 + 800 });
});

test('an outage that spans horizons is counted once, with its whole duration', () => {
  const begun = applied(tally, [span('up', 1000, 1800), span('down', 1800, 2000)], {
    atSeconds: 2000,
    state: 'down',
  });
  const first = withCounted({ states: tally }, begun);
  const ended = applied(first.states, [span('down', 2000, 2500), span('up', 2500, 3000)], {
    atSeconds: 3000,
    state: 'up',
  });
  const second = withCounted(first, ended);

  expect(countersOf(first).outages).toBe(1);
  expect(openOutage(first)).toEqual({ sinceSeconds: 1800 });
  expect(countersOf(second)).toMatchObject({ outages: 1, lastOutageSeconds: 700 });
  expect(openOutage(second)).toBeUndefined();
});

test('an outage that was open at the start is not counted', () => {
  const fresh = { ...tally, startSeconds: 1000 };
  const update = applied(fresh, [span('down', 400, 1300), span('up', 1300, 2000)], to);

  expect(countedAfter(update, { states: fresh, log: emptyLog(1000) }).outages).toBe(0);
});

test('a pause that began after the horizon leaves the reported state at the horizon', () => {
  const states = [span('up', 1000, 2009)];

  expect(applied(tally, states, { ...to, state: 'unmonitored' }).tally.state).toBe('up');
});

describe('a check that was tested while unknown and paused 31 seconds after its last test', () => {
  const tested = { testedAtSeconds: 1900, resolutionSeconds: 300, state: 'unmonitored' as const };
  const genuine = span('unknown', 1200, 1931);
  const states = [span('up', 1000, 1200), genuine];

  test('was unknown until its last test, while its state at the horizon may be the pause', () => {
    const update = applied(tally, states, { ...tested, atSeconds: 1920 });

    expect(update.tally).toMatchObject({ horizonSeconds: 1900, state: 'unknown' });
    expect(countedAfter(update).seconds).toEqual({
      up: 300,
      down: 0,
      unknown: 700,
      unmonitored: 0,
    });
  });

  test('was unknown until the pause, when the report shows time without a state at the horizon', () => {
    const update = applied(tally, states, { ...tested, atSeconds: 2000 });

    expect(update.tally).toMatchObject({ horizonSeconds: 2000, state: 'unmonitored' });
    expect(countedAfter(update).seconds).toEqual({
      up: 300,
      down: 0,
      unknown: 731,
      unmonitored: 69,
    });
  });

  test('was unknown until its last test, when the report shows the pause as unknown, too', () => {
    const shown = [span('up', 1000, 1200), span('unknown', 1200, 2400)];

    const update = applied(tally, shown, { ...tested, atSeconds: 2390 });

    expect(update.tally).toMatchObject({ horizonSeconds: 2390, state: 'unmonitored' });
    expect(countedAfter(update).seconds).toEqual({
      up: 300,
      down: 0,
      unknown: 700,
      unmonitored: 490,
    });
  });

  describe.each([
    ['reports what was before, too', 1200],
    ['is cut off where it begins', 1900],
  ])('by a report from its last test on, which %s', (_, from) => {
    const late = { ...tally, horizonSeconds: 1900, state: 'unknown' as const };
    const report = (toSeconds: number, atSeconds: number) =>
      applied(late, [span('unknown', from, toSeconds)], { ...tested, atSeconds });
    const secondsAfter = (update: StateUpdate) => countedAfter(update, { states: late }).seconds;

    test('changes nothing while its state at the horizon may be the pause', () => {
      expect(report(1931, 1920).tally).toBe(late);
    });

    test('was unknown until the pause, when there is time without a state at the horizon', () => {
      const seconds = secondsAfter(report(1931, 2000));

      expect(seconds).toEqual({ up: 1000, down: 0, unknown: 31, unmonitored: 69 });
    });

    test('was unknown until its last test, when the pause is shown as unknown, too', () => {
      const seconds = secondsAfter(report(2400, 2390));

      expect(seconds).toEqual({ up: 1000, down: 0, unknown: 0, unmonitored: 490 });
    });
  });
});

test('a pause after a good test is unmonitored from its first second, as soon as it is shown as unknown', () => {
  const states = [span('up', 1000, 1931), span('unknown', 1931, 1960)];
  const horizon = { testedAtSeconds: 1900, resolutionSeconds: 300, atSeconds: 1950 };

  const update = applied(tally, states, { ...horizon, state: 'unmonitored' });

  expect(update.tally).toMatchObject({ horizonSeconds: 1950, state: 'unmonitored' });
  expect(countedAfter(update).seconds).toEqual({ up: 1031, down: 0, unknown: 0, unmonitored: 19 });
});

test('a report that comes after the horizon has passed it changes nothing', () => {
  expect(applied(tally, [span('down', 900, 1000)], { atSeconds: 1000, state: 'up' })).toEqual({
    tally,
    recorded: [],
  });
});

const anySpan = fc
  .tuple(
    fc.constantFrom('up' as const, 'down' as const, 'unknown' as const),
    fc.nat(3000),
    fc.nat(900),
  )
  .map(([state, from, length]) => span(state, from, from + length));

test('whatever a report holds, every second is recorded once', () => {
  fc.assert(
    fc.property(fc.array(anySpan), fc.integer({ min: 1001, max: 3000 }), (states, atSeconds) => {
      const update = applied(tally, states, { atSeconds, state: 'up' });

      const { recorded } = update;
      const { up, down, unknown, unmonitored } = countedAfter(update).seconds;
      expect(up + down + unknown + unmonitored).toBe(atSeconds - tally.startSeconds);
      let edge = 1000;
      for (const { fromSeconds, toSeconds, state } of recorded) {
        expect(fromSeconds).toBe(edge);
        expect(toSeconds).toBeGreaterThan(fromSeconds);
        const covering = states.some(
          (s) => s.fromSeconds <= fromSeconds && fromSeconds < s.toSeconds,
        );
        expect(covering).toBe(state !== 'unmonitored');
        edge = toSeconds;
      }
      expect(edge).toBe(atSeconds);
    }),
  );
});

test.each([
  ['is the rest of the pause if it began before', 999, 999, 'unmonitored'],
  ['is the rest of the pause if the report begins there, too', 1000, 1000, 'unmonitored'],
  ['is unknown if it certainly begins there', 1000, 999, 'unknown'],
])(
  'an unknown entry at a horizon up to which a pause is counted %s',
  (_, from, askedFrom, state) => {
    const paused = { ...tally, state: 'unmonitored' } as const;

    const { recorded } = applyReport(paused, [span('unknown', from, 2000)], to, askedFrom);

    expect(recorded).toEqual([{ state, fromSeconds: 1000, toSeconds: 2000 }]);
  },
);
