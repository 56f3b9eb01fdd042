import { expect, test } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { refreshOutages } from '../../src/datasets/outages.ts';
import type { TimeRange } from '../../src/domain/interval.ts';
import { AwaitedReports } from '../../src/tally/awaited-reports.ts';
import { settle } from '../../src/tally/settle.ts';
import { scriptedReader } from '../support/scripted-reader.ts';
import { checkId, startSeconds, watchCheck } from './support/watched-check.ts';

const { signal } = new AbortController();
const minute = 60;

/** A report of a check that was up until `minutes` after the start. */
const upFor = (minutes: number) => ({
  summary: {
    states: [{ status: 'up', timefrom: startSeconds, timeto: startSeconds + minutes * minute }],
  },
});

/**
 * A check that is tested every minute. A list has shown its test ten minutes after the start, and
 * an earlier error.
 */
function waitForReport(replies: readonly unknown[]) {
  const { reader, requests } = scriptedReader(...replies);
  const { context, clock, state, list, counters, totals } = watchCheck(reader);
  const givenUp: TimeRange[] = [];
  const reports = new AwaitedReports();
  const refresh = refreshOutages(
    {
      ...context,
      events: {
        ...context.events,
        reportGivenUp: (_dataset, _id, range) => void givenUp.push(range),
      },
    },
    reports,
  );
  const askIfDue = async () => {
    const record = state.checks.get(checkId);
    if (record === undefined || !reports.isDue(record, clock.monotonic())) return undefined;
    return await refresh(checkId, signal).catch((error: unknown) => error);
  };
  const show = async () => {
    await clock.advance(10 * minute * 1000);
    const listed = startSeconds + 10 * minute;
    list(listed, { lastErrorAtSeconds: startSeconds + 6 * minute, lastDownStartAtSeconds: 1 });
    const record = state.checks.get(checkId);
    if (record === undefined) throw new Error('the check is not listed');
    const times = { receivedAtSeconds: listed, passedSeconds: listed };
    reports.read(times);
    const settled = settle(record.totals.states, record.entry, times);
    reports.listed(record, record.entry, settled, clock.monotonic());
  };
  return { show, askIfDue, clock, counters, totals, requests, givenUp };
}

test('a report that lags is asked for again, and what it proves is counted', async () => {
  const { show, askIfDue, clock, counters, requests, givenUp } = waitForReport([
    upFor(4),
    upFor(10),
  ]);
  await show();
  await askIfDue();
  expect(counters()?.seconds).toMatchObject({ up: 4 * minute, unmonitored: 0 });

  // The report lagged by six minutes, so the next one has the test six minutes later.
  await clock.advance(5 * minute * 1000);
  await askIfDue();
  expect(requests).toHaveLength(1);
  await clock.advance(minute * 1000);
  await askIfDue();

  expect(counters()?.seconds).toMatchObject({ up: 10 * minute, unmonitored: 0 });
  expect(givenUp).toEqual([]);
});

test.each(['forbidden', 'not_found'] as const)(
  'a report that is %s is asked for after a minute, after twice as long each time, and every half an hour',
  async (reason) => {
    const refused = new ApiError({ operation: 'list_outages', reason, message: 'refused' });
    const { show, askIfDue, clock, requests } = waitForReport([
      ...Array(9).fill(refused),
      upFor(10),
    ]);
    await show();
    const askedAt: number[] = [];
    for (let passed = 0; passed <= 120; passed++) {
      const before = requests.length;
      await askIfDue();
      if (requests.length > before) askedAt.push(passed);
      await clock.advance(minute * 1000);
    }
    expect(askedAt).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
  },
);

test('a report with a state that cannot be read fails for a day, and then the rest of it is counted', async () => {
  const minutes = (status: string, from: number, to: number | string) => ({
    status,
    timefrom: startSeconds + from * minute,
    timeto: typeof to === 'string' ? to : startSeconds + to * minute,
  });
  const states = [minutes('up', 0, 4), minutes('down', 4, 'later'), minutes('up', 7, 10)];
  const unreadable = Array.from({ length: 30 }, () => ({ summary: { states } }));
  const { show, askIfDue, clock, counters, totals, givenUp } = waitForReport(unreadable);
  await show();
  for (let hours = 0; hours < 25; hours++) {
    if (hours < 24) {
      expect(await askIfDue()).toMatchObject({ reason: 'shape' });
      expect(counters()?.seconds).toMatchObject({ up: 0, down: 0, unmonitored: 0 });
    }
    await clock.advance(60 * minute * 1000);
  }
  expect(await askIfDue()).toMatchObject({ rejected: [{ reason: 'shape' }] });

  expect(counters()?.seconds).toMatchObject({ up: 7 * minute, down: 0, unmonitored: 180 });
  const range = { fromSeconds: startSeconds, toSeconds: startSeconds + 10 * minute };
  expect(givenUp).toEqual([range]);
  // Only what no entry shows is not watched.
  expect(totals()?.log?.givenUp).toEqual([
    { fromSeconds: startSeconds + 4 * minute, toSeconds: startSeconds + 7 * minute },
  ]);
  expect(await askIfDue()).toBeUndefined();
});

test('what a report still lacks after a day is unmonitored, and is logged', async () => {
  const tooShort = Array.from({ length: 80 }, () => upFor(4));
  const { show, askIfDue, clock, counters, totals, requests, givenUp } = waitForReport(tooShort);
  await show();
  for (let minutes = 0; minutes < 24 * 60 + 40; minutes++) {
    await askIfDue();
    if (minutes < 24 * 60) expect(counters()?.seconds.unmonitored).toBe(0);
    await clock.advance(minute * 1000);
  }

  expect(counters()?.seconds).toMatchObject({ up: 4 * minute, unmonitored: 6 * minute });
  const range = {
    fromSeconds: startSeconds + 4 * minute,
    toSeconds: startSeconds + 10 * minute,
  };
  expect(givenUp).toEqual([range]);
  expect(totals()?.log?.givenUp).toEqual([range]);
  // After a minute, then after twice the last wait, up to half an hour.
  expect(requests.length).toBeLessThan(60);
});
