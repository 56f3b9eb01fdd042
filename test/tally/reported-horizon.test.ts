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

test.each<[string, AwaitedReport, Report, asked: number, horizon: number | undefined]>([
  ['has the outage of the list', shown, withOutage, 610, 600],
  ['lacks the outage of the list', shown, withoutOutage, 610, undefined],
  ['ends before the list', shown, [...withOutage.slice(0, -1), ['up', 540]], 610, undefined],
  [
    'has another state at the end than the list',
    shown,
    [
      ['up', 100],
      ['down', 660],
    ],
    670,
    undefined,
  ],
  ['has another state at the beginning than the list', shown, [['down', 600]], 610, undefined],
  ['explains a failed test', doubtful, withOutage, 610, 600],
  ['does not explain a failed test', doubtful, withoutOutage, 610, undefined],
  [
    'does not explain a failed test after the longest lag',
    doubtful,
    withoutOutage,
    150 + longestLagSeconds,
    600,
  ],
  ['ends with the last test before a pause', paused, [['up', 300]], 610, undefined],
  [
    'ends with the last test before a pause, after the longest lag',
    paused,
    [['up', 300]],
    600 + longestLagSeconds,
    600,
  ],
  [
    'lacks the last test before a pause after the longest lag',
    paused,
    [['up', 240]],
    600 + longestLagSeconds,
    undefined,
  ],
])('a report that %s is recorded up to its horizon', (_, awaited, report, asked, horizon) => {
  const askedAtSeconds = start + asked;
  const times = { askedAtSeconds, firstAskedAtSeconds: askedAtSeconds };
  const reported = reportedHorizon(tally, spans(report), awaited, times);
  expect(reported.horizon?.atSeconds).toBe(horizon && start + horizon);
  expect(reported.isGivenUp).toBe(false);
});

test.each([
  ['a day after the list and after an hour of requests', day, day - 3_600, true],
  ['a day after the list at the first request', day, day, false],
  ['sooner', day - 1, 0, false],
])('a report that lacks an outage is given up: %s', (_, asked, firstAsked, expected) => {
  const times = {
    askedAtSeconds: start + 600 + asked,
    firstAskedAtSeconds: start + 600 + firstAsked,
  };
  expect(reportedHorizon(tally, spans(withoutOutage), shown, times).isGivenUp).toBe(expected);
});
