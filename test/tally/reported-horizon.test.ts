import { describe, expect, test } from 'vitest';
import type { MonitoredState, StateSpan } from '../../src/domain/interval.ts';
import type { Horizon } from '../../src/tally/advance.ts';
import type { AwaitedReport } from '../../src/tally/awaited-report.ts';
import { reportedHorizon } from '../../src/tally/reported-horizon.ts';
import { noSeconds, type StateTally } from '../../src/tally/state-tally.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const start = 1_767_225_600;

const tally: StateTally = {
  ...{ startSeconds: start - day, horizonSeconds: start, seconds: noSeconds, outages: 0 },
  ...{ state: 'up', inOutage: false, resolutionSeconds: minute },
};

/** Minutes after the tally's horizon. */
function span(state: MonitoredState, from: number, to: number): StateSpan<MonitoredState> {
  return { state, fromSeconds: start + from * minute, toSeconds: start + to * minute };
}

function horizon(minutes: number, state: Horizon['state'] = 'up'): Horizon {
  return { atSeconds: start + minutes * minute, state };
}

const failedAt = start + 6 * minute;

function asked(minutes: number, firstMinutes = minutes, doubtedMinutes?: number) {
  return {
    requestedAtSeconds: start + minutes * minute,
    firstRequestedAtSeconds: start + firstMinutes * minute,
    doubted: new Map(
      doubtedMinutes === undefined ? [] : [[failedAt, start + doubtedMinutes * minute]],
    ),
  };
}

const outage = [span('up', 0, 4), span('down', 4, 7), span('up', 7, 10)];
const awaited: AwaitedReport = {
  horizons: [horizon(5, 'down'), horizon(9), horizon(12)],
  outages: [{ fromSeconds: start + 4 * minute, toSeconds: start + 7 * minute }],
  doubtfulErrors: [],
};

/** The minutes that are recorded; undefined if the report must be requested again. */
function recorded(
  states: readonly StateSpan<MonitoredState>[],
  of: AwaitedReport = awaited,
  times = asked(12),
): number | undefined {
  const { horizon: reached } = reportedHorizon(tally, states, of, times);
  return reached && (reached.atSeconds - start) / minute;
}

describe('a report that lags its list', () => {
  test('is recorded up to the last test that it reaches, and the rest waits', () => {
    expect(recorded(outage)).toBe(9);
    expect(recorded([...outage.slice(0, 2), span('up', 7, 12)])).toBe(12);
    expect(recorded(outage.slice(0, 2))).toBe(5);
    expect(recorded([span('up', 0, 3)])).toBeUndefined();
    expect(recorded([])).toBeUndefined();
  });

  test('is not trusted where it lacks an outage, or the state of a test, that a list has shown', () => {
    expect(recorded([span('up', 0, 12)])).toBeUndefined();
    expect(recorded([span('down', 0, 12)])).toBeUndefined();
  });

  test('reports by how much it is too short', () => {
    const { missingSeconds } = reportedHorizon(tally, [span('up', 0, 3)], awaited, asked(12));

    expect(missingSeconds).toBe(2 * minute);
  });
});

describe('a report with another outcome of the test at the horizon', () => {
  const isDown = [span('down', 0, 12)];
  const ofOutage = (from: number): AwaitedReport => ({
    ...{ horizons: [horizon(12, 'down')], doubtfulErrors: [] },
    outages: [{ fromSeconds: start + from * minute, toSeconds: start + 12 * minute }],
  });

  test('is right if a later list has its outage, too', () => {
    expect(recorded(isDown, ofOutage(0))).toBe(12);
    expect(recorded(isDown, ofOutage(1))).toBeUndefined();
  });

  test('is right once neither list nor report can lag so far', () => {
    expect(recorded(isDown, ofOutage(1), asked(34))).toBeUndefined();
    expect(recorded(isDown, ofOutage(1), asked(35))).toBe(12);
  });
});

describe('what is still missing', () => {
  const lastMinute = 12;
  const dayLater = 24 * 60 + lastMinute;

  test.each([
    ['less than a day later', asked(dayLater - 8, 1), undefined],
    ['a day after the first test', asked(24 * 60 + 5, 1), 5],
    ['a day after the last test', asked(dayLater, 1), 12],
    ['a day later, but asked for less than an hour ago', asked(dayLater, dayLater - 59), undefined],
  ])('%s is given up, or not yet', (_, times, minutes) => {
    const { horizon: late, isGivenUp } = reportedHorizon(tally, [], awaited, times);

    expect(late && (late.atSeconds - start) / minute).toBe(minutes);
    expect(isGivenUp).toBe(minutes !== undefined);
  });
});

describe('a failure that the list does not show to be confirmed', () => {
  const doubtful: AwaitedReport = {
    ...{ horizons: [horizon(5), horizon(12)], outages: [] },
    doubtfulErrors: [failedAt],
  };
  const without = [span('up', 0, 12)];

  test('needs a second report without an outage, five minutes later', () => {
    expect(recorded(without, doubtful, asked(12))).toBe(5);
    expect(recorded(without, doubtful, asked(16, 12, 12))).toBe(5);
    expect(recorded(without, doubtful, asked(17, 12, 12))).toBe(12);
  });

  test('is not doubted by a report that ends before it', () => {
    const { unexplainedErrors } = reportedHorizon(tally, [span('up', 0, 5)], doubtful, asked(12));
    expect(unexplainedErrors).toEqual([]);
  });

  test('needs a second report of its own, whatever another failure had', () => {
    const later = { ...doubtful, doubtfulErrors: [failedAt, start + 9 * minute] };
    expect(recorded(without, later, asked(17, 12, 12))).toBe(5);
    const both = { ...later, horizons: [...later.horizons, horizon(8)] };
    expect(recorded(without, both, asked(17, 12, 12))).toBe(8);
  });

  test('is settled by a report that has its outage, and when no report can lag so far', () => {
    const confirmed = [span('up', 0, 6), span('down', 6, 7), span('up', 7, 12)];

    expect(recorded(confirmed, doubtful, asked(12))).toBe(12);
    expect(recorded(without, doubtful, asked(6 + 35))).toBe(12);
  });
});

describe('the report of a check that was paused', () => {
  const paused: AwaitedReport = {
    horizons: [{ ...horizon(60, 'unmonitored'), testedAtSeconds: start + 3 * minute }],
    outages: [],
    doubtfulErrors: [],
  };

  test('may end with the pause: what follows is recorded once no report can lag so far', () => {
    expect(recorded([span('up', 0, 3)], paused, asked(30))).toBeUndefined();
    expect(recorded([span('up', 0, 3)], paused, asked(60))).toBe(25);
    expect(recorded([span('up', 0, 3)], paused, asked(95))).toBe(60);
    expect(recorded([span('up', 0, 2)], paused, asked(95))).toBeUndefined();
  });
});
