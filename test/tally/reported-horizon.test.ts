import { expect, test } from 'vitest';
import type { MonitoredState, StateSpan } from '../../src/domain/interval.ts';
import type { AwaitedReport } from '../../src/tally/awaited-report.ts';
import { longestLagSeconds } from '../../src/tally/list-reading.ts';
import { reportedHorizon } from '../../src/tally/reported-horizon.ts';
import { noSeconds, type StateTally } from '../../src/tally/state-tally.ts';

const start = 1_767_225_600;
const day = 86_400;

const tally: StateTally = {
  startSeconds: start - day,
  horizonSeconds: start,
  seconds: noSeconds,
  outages: 0,
  state: 'up',
  inOutage: false,
};

/** The end of each state in seconds after `start`; each begins where the one before ends. */
type Report = readonly (readonly [state: MonitoredState, until: number])[];

function spans(report: Report): StateSpan<MonitoredState>[] {
  return report.map(([state, until], place) => ({
    state,
    fromSeconds: start + (report[place - 1]?.[1] ?? 0),
    toSeconds: start + until,
  }));
}

/** A list showed an outage from 100 to 200 s, and that the check is up at 600 s. */
const shown: AwaitedReport = {
  horizons: [{ atSeconds: start + 600, state: 'up' }],
  outages: [{ fromSeconds: start + 100, toSeconds: start + 200 }],
};
/** A test failed at 150 s, and no list showed whether the failure was confirmed. */
const doubtful: AwaitedReport = {
  horizons: [{ atSeconds: start + 600, state: 'up' }],
  outages: [],
  doubtfulErrorAtSeconds: start + 150,
};
/** A list showed that the check is paused at 600 s; its last test was at 300 s. */
const paused: AwaitedReport = {
  horizons: [{ atSeconds: start + 600, state: 'unmonitored', testedAtSeconds: start + 300 }],
  outages: [],
};

const withOutage: Report = [
  ['up', 100],
  ['down', 200],
  ['up', 600],
];
const withoutOutage: Report = [['up', 600]];

type Case = readonly [string, AwaitedReport, Report, asked: number];

function reportedFor(awaited: AwaitedReport, report: Report, asked: number) {
  const askedAtSeconds = start + asked;
  const times = { askedAtSeconds, firstAskedAtSeconds: askedAtSeconds };
  return reportedHorizon(tally, spans(report), awaited, times);
}

test.each<Case>([
  ['has the outage of the list', shown, withOutage, 610],
  ['explains a failed test', doubtful, withOutage, 610],
  ['lacks a failed test after the longest lag', doubtful, withoutOutage, 150 + longestLagSeconds],
  [
    'ends with the last test before a pause, after the longest lag',
    paused,
    [['up', 300]],
    600 + longestLagSeconds,
  ],
])('a report is recorded when it %s', (_, awaited, report, asked) => {
  expect(reportedFor(awaited, report, asked)).toMatchObject({
    horizon: { atSeconds: start + 600 },
    isGivenUp: false,
  });
});

test.each<Case>([
  ['lacks the outage of the list', shown, withoutOutage, 610],
  ['ends before the list', shown, [...withOutage.slice(0, -1), ['up', 540]], 610],
  [
    'has another state at the end than the list',
    shown,
    [
      ['up', 100],
      ['down', 660],
    ],
    670,
  ],
  ['has another state at the beginning than the list', shown, [['down', 600]], 610],
  ['does not explain a failed test', doubtful, withoutOutage, 610],
  ['ends with the last test before a pause', paused, [['up', 300]], 610],
  [
    'lacks the last test before a pause, even after the longest lag',
    paused,
    [['up', 240]],
    600 + longestLagSeconds,
  ],
])('a report is requested again when it %s', (_, awaited, report, asked) => {
  const reported = reportedFor(awaited, report, asked);
  expect(reported.horizon).toBeUndefined();
  expect(reported.isGivenUp).toBe(false);
});

test.each([
  ['is given up a day after the list and an hour after the first request', day, day - 3_600, true],
  ['is not given up at the first request', day, day, false],
  ['is not given up within a day after the list', day - 1, 0, false],
])('a report that lacks an outage %s', (_, asked, firstAsked, expected) => {
  const times = {
    askedAtSeconds: start + 600 + asked,
    firstAskedAtSeconds: start + 600 + firstAsked,
  };
  expect(reportedHorizon(tally, spans(withoutOutage), shown, times).isGivenUp).toBe(expected);
});
