import { expect, test } from 'vitest';
import { refreshPerformance } from '../../src/datasets/performance.ts';
import { scriptedReader } from '../support/scripted-reader.ts';
import { checkId, startSeconds, watchCheck } from './support/watched-check.ts';

const { signal } = new AbortController();
const hour = 3_600;
const minute = 60;

/** The hour before the start. A report without its last minutes has them as unmonitored. */
const lastHour = {
  starttime: startSeconds - hour,
  avgresponse: 200,
  uptime: hour - 5 * minute,
  downtime: 0,
  unmonitored: 5 * minute,
};

test.each([
  [1, hour],
  [15, undefined],
])(
  'after a change from tests each %i minutes to each minute, unmonitored minutes of an hour are shown when no report can lack them',
  async (minutesBefore, shown) => {
    const { reader } = scriptedReader({ summary: { hours: [lastHour] } });
    const { context, clock, state, list } = watchCheck(reader);
    // No report is older than 35 minutes.
    await clock.advance(40 * minute * 1000);
    const resolutionSeconds = minutesBefore * minute;
    list(startSeconds + 40 * minute, {}, (states) => ({
      states: { ...states, resolutionSeconds },
    }));

    await refreshPerformance(context)(checkId, signal);

    const { performance } = state.checks.get(checkId)?.details ?? {};
    expect(performance?.value && startSeconds - performance.value.startAtSeconds).toBe(shown);
  },
);

test.each([
  ['up', 120, 120],
  ['unknown', 94, 94],
  ['unknown', 120, 95],
  ['paused', 120, 2],
] as const)(
  'the hours of a check that is %s and was tested %i minutes ago are asked for up to %i minutes ago',
  async (status, testedMinutesAgo, askedMinutesAgo) => {
    const { reader, requests } = scriptedReader({ summary: { hours: [] } });
    const { context, clock, list } = watchCheck(reader);
    await clock.advance(3 * hour * 1000);
    list(startSeconds + 3 * hour - testedMinutesAgo * minute, { status });

    await refreshPerformance(context)(checkId, signal);

    const askedUntil = Number(requests[0]?.query?.to);
    expect(startSeconds + 3 * hour - askedUntil).toBe(askedMinutesAgo * minute);
  },
);

test('an hour that is known already is read without a request, and says nothing about the service', async () => {
  const { reader } = scriptedReader({ summary: { hours: [lastHour] } });
  const { context, clock, list } = watchCheck(reader);
  await clock.advance(40 * minute * 1000);
  list(startSeconds + 40 * minute);
  const refresh = refreshPerformance(context);

  expect(await refresh(checkId, signal)).toEqual({ rejected: [], events: [], entries: 1 });
  expect(await refresh(checkId, signal)).toMatchObject({ entries: 1, unrequested: 'known' });
});

test('a report whose hours all cannot be read is a failure, one with some of them is not', async () => {
  const unreadable = { ...lastHour, starttime: 'noon' };
  const read = async (hours: readonly unknown[]) => {
    const { context, list } = watchCheck(scriptedReader({ summary: { hours } }).reader);
    list(startSeconds);
    return refreshPerformance(context)(checkId, signal);
  };

  await expect(read([unreadable])).rejects.toMatchObject({ reason: 'shape' });
  expect(await read([unreadable, lastHour])).toMatchObject({ entries: 1, rejected: [{}] });
});
