import { expect, test, vi } from 'vitest';
import { refreshActions } from '../../src/datasets/actions.ts';
import { settlingLagSeconds } from '../../src/tally/watermark.ts';
import { scriptedReader } from '../support/scripted-reader.ts';
import { checkId, startSeconds, watchCheck } from './support/watched-check.ts';

const { signal } = new AbortController();
const lag = settlingLagSeconds;
const minute = 60;

interface Sent {
  readonly after: number;
  readonly status?: string;
  readonly check?: number;
}

/** The service lists these alerts, one list for each reading after the first attempt. */
async function watch(...lists: readonly (readonly Sent[])[]) {
  const { reader, requests } = scriptedReader(
    ...lists.map((sent) => ({
      actions: {
        alerts: sent.map(({ after, status = 'delivered', check = checkId }) => ({
          ...{ time: startSeconds + after, checkid: check, via: 'email', status },
        })),
      },
    })),
  );
  const { context, clock, state, list } = watchCheck(reader);
  list(startSeconds);
  const refresh = refreshActions(context);
  const commits = vi.spyOn(state.totals, 'commit');
  const first = await refresh(0, signal);
  const read = async (passed: number) => {
    await clock.advance(passed * 1000);
    const refreshed = await refresh(0, signal);
    return { ...refreshed, counts: state.alerts.counts };
  };
  return { first, read, requests, state, commits };
}

const label = (status: string) => `${checkId} email ${status}`;

test('alerts are counted from the first attempt on, which is stored, and too early to read any', async () => {
  const { first, read, requests, state, commits } = await watch([{ after: -1 }, { after: 0 }]);
  expect([first.isTooEarly, requests.length]).toEqual([true, 0]);
  expect(commits).toHaveBeenCalledTimes(1);

  const { counts } = await read(10 * minute);
  expect(requests[0]?.query).toMatchObject({ from: startSeconds, to: startSeconds + 10 * minute });
  expect(counts).toEqual({ [label('delivered')]: 1 });
  expect(state.alerts.watermark.atSeconds).toBe(startSeconds + 10 * minute - lag);
});

test('nothing is read again, nor stored, until there is time that has settled', async () => {
  const { read, commits } = await watch([]);
  await read(10 * minute);
  expect(await read(0)).toMatchObject({ isTooEarly: true });
  expect(commits).toHaveBeenCalledTimes(2);
});

test('an alert counts with the first reading that has it, and two alike in one second count twice', async () => {
  const twice = [{ after: 10 * minute - 1 }, { after: 10 * minute - 1 }];
  const { read } = await watch(twice, [...twice, { after: 11 * minute }]);
  expect((await read(10 * minute)).counts).toEqual({ [label('delivered')]: 2 });
  expect((await read(5 * minute)).counts).toEqual({ [label('delivered')]: 3 });
});

test('an alert that is listed a quarter of an hour late counts once', async () => {
  const late = { after: 5 * minute };
  const { read } = await watch([], [], [late], [late], [late]);
  for (let turn = 0; turn < 2; turn++) await read(9 * minute);
  for (let turn = 0; turn < 2; turn++) {
    expect((await read(2 * minute)).counts).toEqual({ [label('delivered')]: 1 });
  }
  expect((await read(20 * minute)).counts).toEqual({ [label('delivered')]: 1 });
});

test.each(['pending', 'sent'])(
  'an alert that is %s waits a quarter of an hour for its outcome',
  async (status) => {
    const [failed, open] = [{ after: minute }, { after: minute + 1, status }];
    const { read } = await watch(
      [{ ...failed, status }, open],
      [{ ...failed, status: 'error' }, open],
      [{ ...failed, status: 'error' }, open],
    );
    expect((await read(10 * minute)).counts).toEqual({});
    expect((await read(6 * minute)).counts).toEqual({ [label('error')]: 1 });
    expect((await read(2)).counts).toEqual({ [label('error')]: 1, [label(status)]: 1 });
  },
);

test('of two alerts alike in one second, each counts once its own outcome is known', async () => {
  const twins = (...statuses: readonly string[]) =>
    statuses.map((status) => ({ after: minute, status }));
  const { read } = await watch(twins('sent', 'delivered'), twins('error', 'delivered'));
  await read(10 * minute);
  const counts = { [label('error')]: 1, [label('delivered')]: 1 };
  expect((await read(minute)).counts).toEqual(counts);
});

test('an alert of a check that is not listed is told once', async () => {
  const [at, other] = [10 * minute - lag, checkId + 1];
  const alerts = [0, at - 1, at].map((after) => ({ after, check: other }));
  const { read } = await watch(alerts, alerts);
  const reasons = async (passed: number) =>
    (await read(passed)).rejected.map(({ reason }) => reason);
  expect(await reasons(10 * minute)).toEqual(['not_listed', 'not_listed']);
  expect(await reasons(5 * minute)).toEqual(['not_listed']);
});
