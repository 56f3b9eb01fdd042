import { expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import type { MonitoredState } from '../../src/domain/interval.ts';
import { withPastReport } from '../../src/slo/past-report.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog, historySeconds } from '../../src/slo/state-log.ts';

const hour = 3_600;
const start = 1_767_225_600;
const begin = start - historySeconds;
const wanted = { fromSeconds: begin, toSeconds: start };

/** Of a check without a listed start of its outage, as in API 2.x. */
function entry(status: Check['status'], lastTestAtSeconds: number, failed?: number): Check {
  return {
    ...{ id: 7, name: 'shop', type: 'http', tags: [], status },
    ...{ resolutionSeconds: 60, lastTestAtSeconds },
    ...(failed !== undefined && { lastErrorAtSeconds: failed }),
  };
}

function span(state: MonitoredState, fromSeconds: number, toSeconds: number) {
  return { state, fromSeconds, toSeconds };
}

function logAfter(
  state: 'up' | 'down' | 'unknown',
  check: Check,
  items: readonly ReturnType<typeof span>[],
) {
  const states = { startSeconds: start, horizonSeconds: start, state, resolutionSeconds: 60 };
  return withPastReport({ states, log: emptyLog(start) }, check, {
    ...{ items, wanted, requestedAtSeconds: start + 120, isGivenUp: false },
  });
}

test('a report that lacks the outage of first sight is right up to the longest lag before it', () => {
  const log = logAfter('down', entry('down', start, start), [span('up', begin, start - 600)]);
  expect(log.tail?.fromSeconds).toBe(start + 120 - 2_100);
});

test('a report that has the outage of first sight, which is over, is right up to its end', () => {
  const log = logAfter('down', entry('down', start, start), [
    ...[span('up', begin, start - 900), span('down', start - 900, start)],
    span('up', start, start + 60),
  ]);
  expect(log.tail).toBeUndefined();
  expect([...log.changes].at(-1)).toEqual({ state: 'down', fromSeconds: start - 900 });
});

test.each([
  ['has', 'right up to its end', [span('down', start - 900, start - 840)], undefined],
  ['lacks', 'right up to the longest lag before it', [], start + 120 - 2_100],
] as const)('a report that %s the last failed test is %s', (_, _right, failed, tailFrom) => {
  const log = logAfter('up', entry('up', start, start - 900), [
    ...[span('up', begin, start - 900), ...failed],
    span('up', start - 900 + 60 * failed.length, start - 120),
  ]);
  expect(log.tail?.fromSeconds).toBe(tailFrom);
});

test.each([
  ['unconfirmed_down', 600, 'the longest lag before it', start + 120 - 2_100],
  ['unconfirmed_down', hour, 'the last test', start - hour],
  ['unconfirmed_up', 600, 'the longest lag before it', start + 120 - 2_100],
  ['unconfirmed_up', hour, 'the last test', start - hour],
] as const)(
  'while a check is %s since %d s before first sight, a report is right up to %s',
  (status, seconds, _until, tailFrom) => {
    const before = status === 'unconfirmed_up' ? 'down' : 'up';
    const items = [span(before, begin, start - 60)];
    const failed = status === 'unconfirmed_up' ? start - seconds - 60 : begin - hour;
    const log = logAfter('unknown', entry(status, start - seconds, failed), items);
    expect(log.tail?.fromSeconds).toBe(tailFrom);
  },
);

test('a failure that was counted since first sight is not one that a report of the past lacks', () => {
  const known = {
    states: { startSeconds: start, horizonSeconds: start + 300, state: 'down' as const },
    log: { ...emptyLog(start), changes: new StateChanges(['down'], [start]) },
  };
  const items = [span('up', begin, start - 300), span('down', start - 300, start - 60)];
  const log = withPastReport(known, entry('down', start + 300, start + 300), {
    ...{ items, wanted, requestedAtSeconds: start + 420, isGivenUp: false },
  });
  expect(log.tail?.fromSeconds).toBe(start - 60);
});

test.each([
  ['unmonitored from the last test on', start - 600, 'unmonitored'],
  ['unknown if the report ends before the last test', start - 1_200, 'unknown'],
] as const)('after a report, a check that is paused at first sight is %s', (_, end, state) => {
  const log = logAfter('unknown', entry('paused', start - 600), [span('up', begin, end)]);
  expect([...log.changes].at(-1)).toEqual({ state, fromSeconds: end });
});

test.each([
  [59, ['up']],
  [60, ['up', 'unmonitored']],
])(
  'after a last test %d s before first sight, tested every minute, the states are %j',
  (seconds, states) => {
    const known = {
      states: { startSeconds: start, horizonSeconds: start + 600, state: 'up' as const },
      log: emptyLog(start),
    };
    const items = [span('up', begin, start - seconds)];
    const report = { items, wanted, requestedAtSeconds: start + hour, isGivenUp: false };
    expect(withPastReport(known, entry('up', start), report).changes.states).toEqual(states);
  },
);
