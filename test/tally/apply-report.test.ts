import { expect, test } from 'vitest';
import type { MonitoredState, StateSpan } from '../../src/domain/interval.ts';
import { countersOf, emptyLog, type KnownStates, openOutage } from '../../src/slo/state-log.ts';
import { withCounted } from '../../src/state/items/totals.ts';
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

const to = { atSeconds: 2000, state: 'up' } as const;

test('what a report does not cover is unmonitored, and what lies outside is cut off', () => {
  const update = applyReport(
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
  expect(countedAfter(applyReport(tally, [], to)).seconds.unmonitored).toBe(1000);
});

test('touching and overlapping spans of one outage count as one', () => {
  const states = [span('down', 1200, 1300), span('down', 1300, 1400), span('down', 1250, 1500)];

  const after = countedAfter(applyReport(tally, states, to));

  expect(after).toMatchObject({ outages: 1, lastOutageSeconds: 300, seconds: { down: 300 } });
});

test('where states overlap, the one that begins first holds', () => {
  const update = applyReport(tally, [span('up', 1100, 2000), span('down', 1000, 1200)], to);

  expect(countedAfter(update).seconds).toMatchObject({ down: 200, up: 100 + 800 });
});

test('an outage that spans horizons is counted once, with its whole duration', () => {
  const begun = applyReport(tally, [span('up', 1000, 1800), span('down', 1800, 2000)], {
    atSeconds: 2000,
    state: 'down',
  });
  const first = withCounted({ states: tally }, begun);
  const ended = applyReport(first.states, [span('down', 2000, 2500), span('up', 2500, 3000)], {
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
  const update = applyReport(fresh, [span('down', 400, 1300), span('up', 1300, 2000)], to);

  expect(countedAfter(update, { states: fresh, log: emptyLog(1000) }).outages).toBe(0);
});

test('a pause that began after the horizon leaves the reported state at the horizon', () => {
  const states = [span('up', 1000, 2009)];

  expect(applyReport(tally, states, { ...to, state: 'unmonitored' }).tally.state).toBe('up');
});

test('a report that comes after the horizon has passed it changes nothing', () => {
  expect(applyReport(tally, [span('down', 900, 1000)], { atSeconds: 1000, state: 'up' })).toEqual({
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
      const update = applyReport(tally, states, { atSeconds, state: 'up' });

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
