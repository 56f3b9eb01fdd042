import { describe, expect, test } from 'vitest';
import { BackfillJob } from '../../../src/backfill/job/backfill-job.ts';
import { FirstSeen } from '../../../src/backfill/job/first-seen.ts';
import { longestReportSeconds } from '../../../src/backfill/job/report-length.ts';
import { pastUntil } from '../../../src/backfill/series/past-states.ts';
import type { Check } from '../../../src/domain/check.ts';
import type { TimeRange } from '../../../src/domain/interval.ts';
import { emptyLog } from '../../../src/slo/state-log.ts';
import { firstTotals, shopState } from '../../state/support/shop.ts';
import { defaultPolicies } from '../../support/default-policies.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const start = 1_767_225_600;
const [minute, day] = [60, 86_400];
const entry: Check = {
  id: 1,
  name: 'shop',
  type: 'http',
  tags: [],
  status: 'up',
  createdAtSeconds: start - 90 * 86_400,
};

/**
 * An account that sees its only check for the first time now, and a job that requests the 30 days
 * before.
 */
async function setUp(request: { readonly responseTimes?: true }) {
  const clock = new VirtualClock(start * 1000);
  const state = shopState({
    clock,
    events: {
      arrived: (kind, ids) => firstSeen.arrived(kind, ids),
      left: () => {},
      relabelled: () => {},
    },
  });
  const firstSeen = new FirstSeen(state, defaultPolicies());
  const job = new BackfillJob({
    firstSeen,
    storeDocuments: async () => {},
    nowSeconds: () => clock.now() / 1000,
  });
  state.datasets.planned(new Map([['checks', 60]]));
  const list = () => {
    state.list('check', [entry], (check) => firstTotals(check, start));
    job.update();
  };
  list();
  await job.begin({
    fromSeconds: start - 30 * 86_400,
    requestedAtSeconds: start,
    check: [1],
    transaction: [],
    reportSeconds: longestReportSeconds,
    ...request,
  });
  return {
    job,
    /** Counts the check up to a time, like an outage report that reaches it. */
    count: (untilSeconds: number) =>
      state.totals.commitCheck(1, (totals) => ({
        ...totals,
        states: { ...totals.states, horizonSeconds: untilSeconds },
      })),
    /** Time after first sight whose reports could not be read for a day. */
    giveUp: (...givenUp: readonly TimeRange[]) =>
      state.totals.commitCheck(1, (totals) => ({
        ...totals,
        log: { ...emptyLog(start - 35 * day), givenUp },
      })),
    /** Whether the past of the check is readable after the list at a time. */
    isOpenAt: async (seconds: number) => {
      await clock.advance(seconds * 1000 - clock.now());
      list();
      return job.isOpen(1);
    },
  };
}

// The same minutes as in docs/history.md.
test.each([
  ['states', 35, {}],
  ['response times', 95, { responseTimes: true as const }],
])('a job reads %s of a check %i minutes after its first sight', async (_, minutes, request) => {
  const { job, count, isOpenAt } = await setUp(request);
  await count(start + minute);

  expect(await isOpenAt(start + minutes * minute - 1)).toBe(false);
  expect(job.state).toMatchObject({ waiting: 1, read: 0 });
  expect(await isOpenAt(start + minutes * minute)).toBe(true);
  expect(job.state).toMatchObject({ waiting: 0, read: 0 });
});

test('a job does not read a check before the time of its first sight is counted', async () => {
  const { count, isOpenAt } = await setUp({});

  expect(await isOpenAt(start + 180 * minute)).toBe(false);
  await count(start + 1);
  expect(await isOpenAt(start + 181 * minute)).toBe(true);
});

test('what is left of a job are the states of a check, each report of its response times, and the maintenance', async () => {
  const { job } = await setUp({ responseTimes: true });
  expect(job.state?.requestsLeft).toBe(1 + 2 + 1);

  const past = { fromSeconds: start - 30 * day, toSeconds: start, states: 'u2592000' };
  await job.read(1, { past });
  expect(job.state?.requestsLeft).toBe(2 + 1);
});

describe('time that was given up after first sight', () => {
  const given = (from: number, to: number): TimeRange => ({
    fromSeconds: start + from * day,
    toSeconds: start + to * day,
  });
  const request = (from: number) => ({ fromSeconds: start + from * day });

  test('is read together with the past', async () => {
    const { job, count, giveUp, isOpenAt } = await setUp({});
    await giveUp(given(2, 3), given(5, 6));
    expect(job.unread.of('check', 1, request(-30))).toEqual(given(-30, 6));
    expect(job.unread.of('check', 1, request(1))).toEqual(given(2, 6));
    expect(job.unread.of('check', 1, request(4))).toEqual(given(5, 6));
    expect(job.unread.of('check', 1, request(7))).toBeUndefined();

    await count(start + 7 * day);
    expect(await isOpenAt(start + 6 * day + 35 * minute - 1)).toBe(false);
    expect(await isOpenAt(start + 6 * day + 35 * minute)).toBe(true);
  });

  test('is read by the same request once more of it is known', async () => {
    const { job, count, giveUp, isOpenAt } = await setUp({});
    await count(start + 7 * day);
    expect(await isOpenAt(start + 7 * day)).toBe(true);
    await job.read(1, { past: { ...given(-30, 0), states: 'u2592000' } });
    expect(job.lacking('check', [1, 2])).toEqual([2]);

    await giveUp(given(2, 3));
    expect(job.lacking('check', [1])).toEqual([1]);
    await job.extend({ check: [1], transaction: [] }, start + 7 * day);
    expect(job.state).toMatchObject({ items: 1, read: 0 });
    expect(job.isOpen(1)).toBe(true);
    await job.read(1, { past: { ...given(-30, 3), states: 'u2851200' } });
    expect(job.lacking('check', [1])).toEqual([]);
  });

  test('has no response times to be read', async () => {
    const { job } = await setUp({ responseTimes: true });
    await job.read(1, { past: { ...given(-30, 3), states: 'u2851200' } });
    expect(job.unmeasured(1)).toEqual(given(-30, 0));
  });
});

test('the part of a past before a time has its states until then', () => {
  const past = { fromSeconds: 100, toSeconds: 200, states: 'u20 d50 u30' };
  expect(pastUntil(past, 150)).toEqual({ ...past, toSeconds: 150, states: 'u20 d30' });
  expect(pastUntil(past, 200)).toBe(past);
});
