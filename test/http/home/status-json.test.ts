import request from 'supertest';
import { expect, test } from 'vitest';
import type { AccountStatus } from '../../../src/http/ports.ts';
import { testApp } from '../../support/http-app.ts';
import {
  accountsByState,
  accountWith,
  checkWith,
  healthyAccount,
  healthySnapshot,
  noon,
  statesBy,
} from '../../support/snapshots.ts';

async function jsonOf(...accounts: AccountStatus[]) {
  const reply = await request(testApp({ accounts })).get('/status.json');
  expect(reply.status).toBe(200);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  return reply.body;
}

test('maintenance that was read earlier has the documented names', async () => {
  const why = 'list_maintenance: HTTP 502';
  const lateSeconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  const maintenance = { is: 'earlier', why, readAtSeconds: noon - 3_600 } as const;
  const json = await jsonOf({
    ...accountsByState.ok,
    counting: { lagSeconds: 0, lateSeconds, maintenance },
  });

  expect(json.accounts[0].counting.maintenance).toEqual({
    is: 'earlier',
    why,
    read_at: noon - 3_600,
  });
});

test('a healthy account has the documented names', async () => {
  const ofCheck = statesBy({
    2: [
      { state: 'up', fromSeconds: noon - 900, toSeconds: noon - 300 },
      { state: 'down', fromSeconds: noon - 300, toSeconds: noon },
    ],
  });
  const transactions = [
    { id: 7, name: 'Buy', status: 'failing', failingStep: 3, kind: 'script', tags: [] },
  ] as const;

  const objective = { ratio: 0.999, reason: 'default' };
  // Without maintenance, as on the page: less than the seconds down.
  const budget = { objective, errorRatios: { '1d': 0.25 }, burnRates: {} };
  const snapshot = healthySnapshot({ transactions });
  const checks = snapshot.checks?.map((row) => (row.id === 2 ? { ...row, budget } : row)) ?? [];
  const json = await jsonOf({
    ...accountsByState.ok,
    snapshot: { ...snapshot, checks },
    states: { ofCheck, ofTransaction: () => undefined },
    plan: { requestsPerSecond: 0.02 },
  });

  expect(json).toMatchObject({ version: '1.2.3', time: noon });
  const [account] = json.accounts;
  expect(account).toMatchObject({
    account: 'main',
    api_version: '3.1',
    base_url: 'https://api.example.com',
    state: 'ok',
    up: true,
    budget: {
      mode: 'headers',
      paused: false,
      requests_per_second: 0.02,
      planned_requests_per_second: 0.02,
      in_flight: 0,
      windows: {
        short: {
          limit: 400,
          remaining: 312,
          reserve: 80,
          reset_seconds: 1_500,
          remaining_at_reset: 282,
        },
        long: { limit: 72_000 },
      },
    },
    datasets: {
      checks: {
        interval_seconds: 60,
        last_attempt: noon - 25,
        last_success: noon - 25,
        age_seconds: 25,
        stale: false,
        items: 5,
      },
    },
  });
  expect(account).not.toHaveProperty('shortfall');
  expect(account.checks).toMatchObject({
    total: 5,
    by_status: { up: 1, down: 1, unconfirmed_down: 1, unknown: 1, paused: 1 },
  });
  expect(account.checks.down).toEqual([
    {
      id: 2,
      name: 'check 2',
      hostname: 'host2.example.com',
      status: 'down',
      last_down_start: noon - 3_840,
      began: noon - 3_840,
    },
  ]);
  expect(account.checks.unconfirmed_down).toEqual([
    { id: 3, name: 'check 3', hostname: 'host3.example.com', status: 'unconfirmed_down' },
  ]);
  expect(account.checks.last_24_hours[0]).toEqual({
    id: 2,
    name: 'check 2',
    up_ratio: 0.75,
    outages: 1,
    seconds: { up: 600, down: 300, unknown: 0, unmonitored: 0 },
    spans: [
      { state: 'up', from: noon - 900, to: noon - 300 },
      { state: 'down', from: noon - 300, to: noon },
    ],
  });
  expect(account.transactions).toMatchObject({
    total: 1,
    by_status: { successful: 0, failing: 1, unknown: 0 },
    failing: [{ id: 7, name: 'Buy', failing_step: 3 }],
  });
});

test('when an outage began is what the page says, also in maintenance, where none is opened', async () => {
  const down = { status: 'down', maintenance: { active: true } } as const;
  const opened = {
    open: true,
    seenAtSeconds: noon - 60,
    importance: 'high' as const,
    hostname: '',
  } as const;
  const checks = [
    { ...checkWith({ id: 1 }), ...down, lastDownStartAtSeconds: noon - 600 },
    { ...checkWith({ id: 2 }), ...down, outage: opened },
    { ...checkWith({ id: 3 }), ...down },
  ];

  const json = await jsonOf(healthyAccount({ checks }));

  const beginnings = json.accounts[0].checks.down.map(
    ({ began, began_before }: Record<string, number>) => ({ began, began_before }),
  );
  expect(beginnings).toEqual([{ began: noon - 600 }, { began_before: noon - 60 }, {}]);
});

test('a failure is reported with its reason', async () => {
  const json = await jsonOf(accountsByState.stale);

  expect(json.accounts[0].datasets.checks.failure).toEqual({
    reason: 'dns',
    message: 'api.example.com does not resolve',
    since: noon - 7_140,
    consecutive: 24,
  });
  expect(json.accounts[0]).not.toHaveProperty('checks');
});

test('what was down when a list was last read is named while it is stale', async () => {
  const { stale } = accountsByState;
  const outage = {
    open: true,
    sinceSeconds: noon - 7_800,
    importance: 'high' as const,
    hostname: '',
  };
  const checks = [{ ...checkWith({ id: 1, status: 'down' }), outage }, checkWith({ id: 2 })];
  const json = await jsonOf(accountWith(stale, { checks }));

  expect(json.accounts[0].last_known_down).toEqual([
    {
      kind: 'check',
      id: 1,
      name: 'check 1',
      hostname: 'host1.example.com',
      began: noon - 7_800,
    },
  ]);
});

test('a budget that is too small is reported with the remedy', async () => {
  const json = await jsonOf({
    ...accountsByState.ok,
    plan: {
      requestsPerSecond: 0.02,
      shortfall: { datasets: ['checks'], missingPerHour: 3, switchOff: ['results'], enough: true },
    },
  });

  expect(json.accounts[0].shortfall).toEqual({
    level: 'slow',
    datasets: ['checks'],
    missing_requests_per_hour: 3,
    switch_off: ['results'],
    enough: true,
  });
});

test('what is still to be read of the past is told with the time at which it will be known', async () => {
  const forecast = { doneInSeconds: 1_800, doneAtLatestInSeconds: 9_000 };
  const firstSight = { pastsLeft: 133, pausesLeft: 0, isRead: true, ...forecast };
  const json = await jsonOf({ ...accountsByState.ok, firstSight });

  expect(json.accounts[0].first_sight).toEqual({
    pasts_left: 133,
    pauses_left: 0,
    is_read: true,
    done: noon + 1_800,
    done_at_latest: noon + 9_000,
  });
  expect((await jsonOf(accountsByState.ok)).accounts[0]).not.toHaveProperty('first_sight');
});

test('markup in a name stays what it is, in a type that no browser renders', async () => {
  const name = '</script><script>alert(1)</script>\u2028"';
  const json = await jsonOf(healthyAccount({ account: name }));

  expect(json.accounts[0].account).toBe(name);
});

test('how late outages may be seen, and until when, is beside the check list', async () => {
  const list = { ageSeconds: 42.5, nextInSeconds: 538.5, outageDelaySeconds: 581 };
  const onTime = await jsonOf({ ...accountsByState.ok, list, plan: { requestsPerSecond: 0.02 } });
  const late = await jsonOf({
    ...accountsByState.ok,
    list,
    plan: { requestsPerSecond: 0.004, isLateNow: true },
  });

  const seconds = { age_seconds: 42.5, next_in_seconds: 538.5, outage_delay_seconds: 581 };
  expect(onTime.accounts[0]).toMatchObject({ state: 'ok', check_list: seconds });
  expect(onTime.accounts[0].check_list).not.toHaveProperty('late_until');
  expect(late.accounts[0]).toMatchObject({
    state: 'late',
    check_list: { ...seconds, late_until: noon + 1_500 },
  });
});
