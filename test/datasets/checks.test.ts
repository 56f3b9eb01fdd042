import { expect, test } from 'vitest';
import type { Reader } from '../../src/api/reader.ts';
import { refreshChecks } from '../../src/datasets/checks.ts';
import type { RefreshResult } from '../../src/schedule/refresh.ts';
import { alertLabel } from '../../src/state/alert-totals.ts';
import { AwaitedReports } from '../../src/tally/awaited-reports.ts';
import { countEvents } from '../../src/tally/event-tally.ts';
import { checkId, startSeconds, watchCheck } from './support/watched-check.ts';

const signal = new AbortController().signal;
/** No list waits for maintenance. */
const knownMaintenance = { isKnownFor: async () => true };

/** The service responds with these lists, one after the other. */
function answering(...lists: readonly (readonly unknown[])[]): Reader {
  const left = [...lists];
  return {
    baseUrl: 'https://api.example.com',
    get: async () => {
      const checks = left.shift() ?? [];
      const counts = { total: checks.length, limited: checks.length, filtered: checks.length };
      return { checks, counts };
    },
  };
}

const entry = (id: unknown, minutes: number) => ({
  id,
  name: 'shop',
  type: 'http',
  status: 'up',
  resolution: 1,
  lasttesttime: startSeconds + 60 * minutes,
});
const other = 13;
/** The other check, after a failed test, so that a report is needed. */
const doubtful = (minutes: number) => ({
  ...entry(other, minutes),
  lasterrortime: startSeconds + 10,
});

test('a check whose entry may be the one that cannot be read goes on counting', async () => {
  const { context, clock, state, counters } = watchCheck(
    answering(
      [entry(checkId, 0), entry(other, 0)],
      [entry('malformed', 1), entry(other, 1)],
      [entry(checkId, 2), entry(other, 2)],
      [entry(other, 3)],
      [entry(other, 4)],
    ),
  );
  const refresh = refreshChecks(context, new AwaitedReports(), knownMaintenance);
  const readList = async () => {
    const { listAgainAfterMilliseconds } = await refresh(0, signal);
    await clock.advance(60_000);
    return listAgainAfterMilliseconds;
  };
  await readList();

  await readList();
  expect([...state.checks.ids()].sort()).toEqual([checkId, other]);

  await readList();
  expect(counters()?.seconds.up).toBe(120);

  expect(await readList()).toBe(45_000);
  expect([...state.checks.ids()].sort()).toEqual([checkId, other]);
  expect(counters()?.seconds.up).toBe(120);

  expect(await readList()).toBeUndefined();
  expect([...state.checks.ids()]).toEqual([other]);
});

test('a check leaves when whole lists show that it is gone, its alerts seven days later', async () => {
  const { context, clock, state, left } = watchCheck(
    answering(
      [entry(checkId, 0), entry(other, 0)],
      [entry('malformed', 1), doubtful(1)],
      [doubtful(2)],
      [doubtful(3)],
      [doubtful(4)],
    ),
  );
  const reports = new AwaitedReports();
  const refresh = refreshChecks(context, reports, knownMaintenance);
  await refresh(0, signal);
  const neverListed = 99;
  const sent = [checkId, checkId, other, neverListed].map((id, number) => {
    const label = alertLabel(id, 'email', 'sent');
    return { atSeconds: startSeconds + 10, key: `${number}`, label };
  });
  const range = { fromSeconds: startSeconds, toSeconds: startSeconds + 60 };
  await state.totals.commit(() => ({ alerts: countEvents(state.alerts, range, sent) }));

  await clock.advance(60_000);
  await refresh(0, signal);
  expect(Object.values(state.alerts.counts)).toEqual([2, 1, 1]);

  for (let lists = 0; lists < 2; lists++) {
    await clock.advance(60_000);
    await refresh(0, signal);
  }
  expect(left).toEqual([checkId]);
  expect(Object.values(state.alerts.counts)).toEqual([2, 1]);

  await clock.advance(7 * 86_400_000 + 60_000);
  await refresh(0, signal);
  expect(state.alerts.counts).toEqual({ [alertLabel(other, 'email', 'sent')]: 1 });
});

test('horizons advance only once maintenance is known; evidence from before is kept', async () => {
  const paused = { ...entry(checkId, 2), status: 'paused', lasttesttime: startSeconds + 60 };
  const lists = [
    entry(checkId, 0),
    entry(checkId, 1),
    paused,
    entry(checkId, 3),
    entry(checkId, 4),
  ];
  const { context, clock, state, totals } = watchCheck(answering(...lists.map((list) => [list])));
  const reports = new AwaitedReports();
  const known = { answer: true };
  const asked: boolean[] = [];
  const maintenance = {
    isKnownFor: async (hasNewlyFailed: boolean) => {
      asked.push(hasNewlyFailed);
      return known.answer;
    },
  };
  const refresh = refreshChecks(context, reports, maintenance);
  const readList = async () => {
    await clock.advance(60_000);
    await refresh(0, signal);
  };
  await readList();

  known.answer = false;
  await readList();
  await readList();
  // It was committed too, so that a crash does not lose it.
  expect(totals()?.states).toMatchObject({
    horizonSeconds: startSeconds,
    // With the second in which the list was received.
    reportUntilSeconds: startSeconds + 181,
  });
  known.answer = true;
  await readList();

  // A report shows the pause that is no longer in the list.
  expect(totals()?.states.horizonSeconds).toBe(startSeconds);
  expect(state.checks.get(checkId)?.awaitedReport).toBeDefined();
  expect(asked).toEqual([false, false, false, false]);
});

test('the refresh knows whether a check has just failed', async () => {
  const failed = { ...entry(checkId, 1), status: 'down' };
  const { context, clock } = watchCheck(answering([entry(checkId, 0)], [failed], [failed]));
  const asked: boolean[] = [];
  const maintenance = {
    isKnownFor: async (hasNewlyFailed: boolean) => {
      asked.push(hasNewlyFailed);
      return true;
    },
  };
  const refresh = refreshChecks(context, new AwaitedReports(), maintenance);

  for (let lists = 0; lists < 3; lists++) {
    await refresh(0, signal);
    await clock.advance(60_000);
  }

  expect(asked).toEqual([false, true, false]);
});

const failedAt = startSeconds + 120;
/** The entry of a check that fails at minute 2, and is confirmed to be down at minute 3. */
const failing = (id: number, minutes: number) => ({
  ...entry(id, minutes),
  ...(minutes >= 2 && {
    status: 'down',
    lastdownstart: failedAt,
    lasterrortime: startSeconds + 60 * minutes,
  }),
});

/** The events of each list, read once a minute, in which these checks fail. */
async function eventsOf(ids: readonly number[], lists: number) {
  const minutes = Array.from({ length: lists }, (_, minute) => minute);
  const { context, clock, counters } = watchCheck(
    answering(...minutes.map((minute) => ids.map((id) => failing(id, minute)))),
  );
  const refresh = refreshChecks(context, new AwaitedReports(), knownMaintenance);
  const events = new Map<number, RefreshResult['events']>();
  for (const minute of minutes) {
    const asked = (await refresh(0, signal)).events;
    if (asked.length > 0) events.set(minute, asked);
    await clock.advance(60_000);
  }
  return { events, outages: counters()?.outages };
}

test('five minutes after the list proves an outage its results are asked for, once, and its analyses, again', async () => {
  const { events, outages } = await eventsOf([checkId], 22);

  expect(outages).toBe(1);
  const [results, analyses] = [
    { dataset: 'results', id: checkId },
    { dataset: 'analyses', id: checkId },
  ];
  expect([...events]).toEqual([
    [8, [results, analyses]],
    [18, [analyses]],
  ]);
});

test('of an incident of 30 checks the results of 20 are asked for', async () => {
  const ids = Array.from({ length: 30 }, (_, place) => checkId + place);
  const asked = (await eventsOf(ids, 10)).events.get(8) ?? [];

  expect(asked.filter(({ dataset }) => dataset === 'analyses')).toHaveLength(30);
  expect(asked.filter(({ dataset }) => dataset === 'results')).toHaveLength(20);
});

test('a check with more tags than are read, or of a type that is not known, is reported with each list', async () => {
  const tags = Array.from({ length: 101 }, (_, place) => ({ name: `tag-${place}`, type: 'u' }));
  const { context, state } = watchCheck(
    answering([
      { ...entry(checkId, 0), tags },
      { ...entry(other, 0), tags: tags.slice(1), type: 'browser' },
    ]),
  );
  const told: unknown[] = [];
  const events = {
    ...context.events,
    tagsLeftOut: (...facts: unknown[]) => void told.push(facts),
    typeNotKnown: (...facts: unknown[]) => void told.push(facts),
  };
  await refreshChecks({ ...context, events }, new AwaitedReports(), knownMaintenance)(0, signal);

  expect(told).toEqual([
    ['browser', other],
    ['checks', new Set([checkId])],
  ]);
  expect(state.checks.get(checkId)?.entry.tags).toHaveLength(100);
});

test('a check that fails more often than is kept without a report is reported once', async () => {
  /** A test fails every ten minutes, so only a report shows the outage. */
  const lists = Array.from({ length: 50 }, (_, time) => [
    { ...entry(checkId, 10 * time), lasterrortime: startSeconds + 600 * time - 60 },
  ]);
  const { context, clock, totals } = watchCheck(answering(...lists));
  const leftOut: number[] = [];
  const events = { ...context.events, changesLeftOut: (id: number) => void leftOut.push(id) };
  const refresh = refreshChecks({ ...context, events }, new AwaitedReports(), knownMaintenance);
  for (const _ of lists) {
    await refresh(0, signal);
    await clock.advance(600_000);
  }

  expect(leftOut).toEqual([checkId]);
  expect(totals()?.states.facts).toHaveLength(40);
});

test('after each absence, as many checks wait for a report as can be read besides the pasts, and the others count at once', async () => {
  const ids = Array.from({ length: 40 }, (_, place) => checkId + place);
  const withoutPast = ids.slice(-5);
  const list = (minutes: number) =>
    ids.map((id) => ({
      ...entry(id, minutes),
      ...(withoutPast.includes(id) && { lasterrortime: startSeconds - 3_600 }),
    }));
  const { context, clock, state } = watchCheck(answering(list(0), list(120), list(133)));
  const pastReportsWithin = (seconds: number) => seconds / 50;
  const refresh = refreshChecks(
    { ...context, pastReportsWithin },
    new AwaitedReports(),
    knownMaintenance,
  );
  const waiting = () =>
    ids.filter((id) => state.checks.get(id)?.totals.states.horizonSeconds === startSeconds);
  await refresh(0, signal);
  await clock.advance(7_200_000);

  for (let lists = 0; lists < 2; lists++) {
    await refresh(0, signal);
    expect(waiting()).toEqual(ids.slice(0, 25));
    expect(state.firstSight.pausesLeft).toBe(25);
    expect(state.firstSight.pastsLeft).toBe(withoutPast.length);
    await clock.advance(780_000);
  }
});
