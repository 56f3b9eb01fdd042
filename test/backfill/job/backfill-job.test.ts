import { expect, test } from 'vitest';
import { BackfillJob, longestReportSeconds } from '../../../src/backfill/job/backfill-job.ts';
import { FirstSeen } from '../../../src/backfill/job/first-seen.ts';
import type { Check } from '../../../src/domain/check.ts';
import { defaultPolicies } from '../../../src/state/standing/policies.ts';
import { firstTotals, shopState } from '../../state/support/shop.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const start = 1_767_225_600;
const minute = 60;
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
    itemEvents: {
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
    state.listChecks([entry], (check) => firstTotals(check, start));
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
