import { describe, expect, test } from 'vitest';
import { type StateSpan, talliedStates } from '../../src/domain/interval.ts';
import { advance } from '../../src/tally/advance.ts';
import { changesAfter, type RecentTally, recentSpans } from '../../src/tally/recent-changes.ts';
import { noSeconds } from '../../src/tally/state-tally.ts';
import fc from '../support/fast-check.ts';

const day = 86_400;
const fresh: RecentTally = {
  states: {
    startSeconds: 1000,
    horizonSeconds: 1000,
    seconds: noSeconds,
    outages: 0,
    state: 'up',
    inOutage: false,
  },
};

function span(state: StateSpan['state'], fromSeconds: number, toSeconds: number): StateSpan {
  return { state, fromSeconds, toSeconds };
}

function booked(tally: RecentTally, ...spans: StateSpan[]): RecentTally {
  const recent = changesAfter(tally, spans);
  const [{ state, toSeconds: atSeconds } = span('up', 0, 0)] = spans.slice(-1);
  const states = advance(tally.states, spans, { atSeconds, state });
  return { states, ...(recent !== undefined && { recent }) };
}

describe('the recent states', () => {
  test('of an item of which nothing is booked are none', () => {
    expect(recentSpans(fresh)).toEqual([]);
  });

  test('of an item that was up all along take no room', () => {
    const tally = booked(booked(fresh, span('up', 1000, 1060)), span('up', 1060, 1120));

    expect(tally).not.toHaveProperty('recent');
    expect(recentSpans(tally)).toEqual([span('up', 1000, 1120)]);
  });

  test('join where one state goes on, and nothing changes then', () => {
    const down = booked(
      booked(fresh, span('up', 1000, 1060)),
      span('up', 1060, 1120),
      span('down', 1120, 1180),
    );
    const later = booked(down, span('down', 1180, 1240));

    expect(recentSpans(later)).toEqual([span('up', 1000, 1120), span('down', 1120, 1240)]);
    expect(later.recent).toBe(down.recent);
  });

  test('reach back 24 hours, and are settled then', () => {
    const down = booked(fresh, span('up', 1000, 1060), span('down', 1060, 1120));

    const aDayLater = booked(down, span('up', 1120, 1119 + day));
    expect(recentSpans(aDayLater)[0]).toEqual(span('down', 1060, 1120));

    const older = booked(aDayLater, span('up', 1119 + day, 1120 + day));
    expect(recentSpans(older)).toEqual([span('up', 1120, 1120 + day)]);
    expect(changesAfter(older, [span('up', 1120 + day, 2000 + day)])).toBe(older.recent);
  });

  test('are not known of an item that was not always up and has none stored', () => {
    const { states } = booked(fresh, span('down', 1000, 1060), span('up', 1060, 1120));

    expect(recentSpans({ states })).toEqual([]);
    expect(recentSpans(booked({ states }, span('up', 1120, 1180)))).toEqual([
      span('up', 1120, 1180),
    ]);
  });

  test('after the counted time are removed', () => {
    const { states } = booked(fresh, span('up', 1000, 1120));
    const damaged: RecentTally = { states, recent: [{ state: 'down', fromSeconds: 10 * day }] };

    expect(recentSpans(damaged)).toEqual([]);
    expect(recentSpans(booked(damaged, span('up', 1120, 1180)))).toEqual([span('up', 1120, 1180)]);
  });

  test('are what was booked in the last 24 hours, whatever that was', () => {
    const step = fc.record({
      state: fc.constantFrom(...talliedStates),
      seconds: fc.integer({ min: 1, max: day / 8 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        let tally = fresh;
        const all: StateSpan[] = [];
        for (const { state, seconds } of steps) {
          const from = tally.states.horizonSeconds;
          const next = span(state, from, from + seconds);
          all.push(next);
          tally = booked(tally, next);
        }
        const { horizonSeconds } = tally.states;
        const since = Math.max(1000, horizonSeconds - day);
        const stateAt = (spans: readonly StateSpan[], at: number) =>
          spans.filter(({ fromSeconds, toSeconds }) => fromSeconds <= at && at < toSeconds);

        const spans = recentSpans(tally);

        for (const at of [
          since,
          horizonSeconds - 1,
          ...all.map(({ fromSeconds }) => fromSeconds),
        ]) {
          if (at < since) continue;
          expect(stateAt(spans, at).map(({ state }) => state)).toEqual(
            stateAt(all, at).map(({ state }) => state),
          );
        }
        const older = tally.recent?.filter(({ fromSeconds }) => fromSeconds <= since) ?? [];
        expect(older.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('of an item that changes all the time are bounded', () => {
    let tally = fresh;
    for (let at = 1000; at < 1300; at++) {
      tally = booked(tally, span(at % 2 === 0 ? 'up' : 'down', at, at + 1));
    }

    const spans = recentSpans(tally);
    expect(spans).toHaveLength(200);
    expect(spans.at(-1)).toEqual(span('down', 1299, 1300));
  });
});
