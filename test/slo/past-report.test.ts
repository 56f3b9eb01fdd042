import { expect, test } from 'vitest';
import type { Check } from '../../src/domain/check.ts';
import type { MonitoredState } from '../../src/domain/interval.ts';
import { withPastReport } from '../../src/slo/past-report.ts';
import { emptyLog, historySeconds } from '../../src/slo/state-log.ts';

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
  state: 'down' | 'unknown',
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
  ['unmonitored from the last test on', start - 600, 'unmonitored'],
  ['unknown if the report ends before the last test', start - 1_200, 'unknown'],
] as const)('after a report, a check that is paused at first sight is %s', (_, end, state) => {
  const log = logAfter('unknown', entry('paused', start - 600), [span('up', begin, end)]);
  expect([...log.changes].at(-1)).toEqual({ state, fromSeconds: end });
});
