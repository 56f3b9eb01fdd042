import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { AccountStatus } from '../../../src/http/ports.ts';
import type { ItemStates } from '../../../src/slo/reported-states.ts';
import { emptyLog } from '../../../src/slo/state-log.ts';
import { testApp } from '../../support/http-app.ts';
import {
  accountsByState,
  checkWith,
  healthyAccount,
  healthySnapshot,
  logOf,
  noon,
} from '../../support/snapshots.ts';

const hour = 3_600;
const tagged = (name: string) => ({ name, source: 'user' }) as const;

/** Down for ten minutes two hours ago, and down since five minutes ago. */
const failed: ItemStates = {
  known: {
    states: {
      startSeconds: noon - 100 * hour,
      horizonSeconds: noon - 60,
      state: 'down',
    },
    log: logOf([
      { state: 'up', fromSeconds: noon - 100 * hour },
      { state: 'down', fromSeconds: noon - 2 * hour },
      { state: 'up', fromSeconds: noon - 2 * hour + 600 },
      { state: 'down', fromSeconds: noon - 300 },
    ]),
  },
  endSeconds: noon,
};

const main: AccountStatus = {
  ...healthyAccount({
    checks: [
      checkWith({ id: 1, name: 'Shop', tags: [tagged('prod')] }),
      checkWith({ id: 2, name: 'Blog' }),
    ],
    transactions: [{ id: 7, name: 'Buy', status: 'failing', kind: 'script', tags: [] }],
  }),
  states: {
    ofCheck: (id) => (id === 1 ? failed : undefined),
    ofTransaction: () => failed,
    maintenance: {
      windows: [
        {
          id: 5,
          description: 'New database',
          recurrence: 'none',
          checkIds: [1, 2],
          transactionIds: [7],
        },
      ],
      occurrences: [{ maintenanceId: 5, fromSeconds: noon + hour, toSeconds: noon + 2 * hour }],
      ended: [
        {
          maintenanceId: 6,
          fromSeconds: noon - 5 * hour,
          toSeconds: noon - 4 * hour,
          checkIds: [2],
          transactionIds: [],
        },
      ],
    },
  },
};

async function outages(query: string, account = main) {
  const { status, body, headers } = await request(testApp({ accounts: [account] })).get(
    `/outages.json${query}`,
  );
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  return body as { readonly title: string; readonly time: number }[];
}

const shop = {
  title: 'Shop down',
  tags: ['outage', 'prod'],
  kind: 'outage',
  account: 'main',
  beginning: 'exact',
  checkId: 1,
};

describe('/outages.json', () => {
  test('tells outages and maintenance of the last 24 hours', async () => {
    expect(await outages('?tag=prod')).toEqual([
      {
        ...shop,
        time: (noon - 2 * hour) * 1000,
        timeEnd: (noon - 2 * hour + 600) * 1000,
        text: 'Down for 10 min',
      },
      {
        ...shop,
        time: (noon - 300) * 1000,
        timeEnd: noon * 1000,
        text: 'Down for 5 min so far',
        ongoing: true,
      },
    ]);
    expect((await outages('')).map(({ title }) => title)).toEqual([
      'Maintenance: 6',
      'Shop down',
      'Buy down',
      'Shop down',
      'Buy down',
    ]);
  });

  test.each([-30, 30])(
    'tells the last 24 hours by the clock of the service, which is %i hours off',
    async (offsetHours) => {
      const now = noon + offsetHours * hour;
      const known = {
        states: { ...failed.known.states, horizonSeconds: now - 60 },
        log: logOf([
          { state: 'up', fromSeconds: now - 100 * hour },
          { state: 'down', fromSeconds: now - 300 },
        ]),
      };
      const states = {
        ofCheck: () => ({ known, endSeconds: now }),
        ofTransaction: () => undefined,
      };
      const account = { ...main, states, clockOffsetSeconds: offsetHours * hour };
      expect(await outages('?tag=prod', account)).toMatchObject([
        { ...shop, time: (now - 300) * 1000, ongoing: true },
      ]);
    },
  );

  test('says where an outage began before the states that are known', async () => {
    const log = logOf([{ state: 'down', fromSeconds: noon - 300 }]);
    const seen = { ...failed, known: { ...failed.known, log } };
    const states = { ofCheck: () => seen, ofTransaction: () => undefined };
    expect(await outages('?tag=prod', { ...main, states })).toEqual([
      {
        ...shop,
        beginning: 'before',
        time: (noon - 300) * 1000,
        timeEnd: noon * 1000,
        text: 'Down for at least 5 min so far',
        ongoing: true,
      },
    ]);
  });

  test('knows the last outage by the list while the past has not been read', async () => {
    const known = {
      states: { ...failed.known.states, state: 'up' as const },
      log: emptyLog(noon - 60),
    };
    const lastListed = { fromSeconds: noon - 5 * hour, toSeconds: noon - 4 * hour };
    const states = {
      ofCheck: () => ({ ...failed, known, lastListed }),
      ofTransaction: () => undefined,
    };
    expect(await outages('?tag=prod', { ...main, states })).toMatchObject([
      {
        ...shop,
        time: (noon - 5 * hour) * 1000,
        timeEnd: (noon - 4 * hour) * 1000,
        text: 'Down for 1 h',
      },
    ]);
  });

  test('tells planned maintenance with its members', async () => {
    const planned = {
      time: (noon + hour) * 1000,
      timeEnd: (noon + 2 * hour) * 1000,
      title: 'Maintenance: New database',
      tags: ['maintenance'],
      kind: 'maintenance',
      account: 'main',
    };
    const range = `from=${noon}&to=${noon + 86_400}`;
    expect(await outages(`?${range}`)).toEqual([{ ...planned, text: 'Shop, Blog, Buy' }]);
    expect(await outages(`?${range}&tag=prod`)).toEqual([{ ...planned, text: 'Shop' }]);
    expect(await outages(`?${range}&tag=none`)).toEqual([]);
  });

  test.each([
    `from=${noon - 2 * hour + 100}&to=${noon - hour}`,
    `from=${(noon - 2 * hour + 100) * 1000}&to=${(noon - hour) * 1000}`,
    'from=2026-01-05T10:01:40Z&to=2026-01-05T12:00:00%2B01:00',
    'from=2026-01-05T10:01:40.5Z&to=2026-01-05T12:00:00+01:00',
  ])('takes ?%s', async (query) => {
    const told = await outages(`?${query}`);
    expect(told.map(({ title, time }) => ({ title, time: time / 1000 - noon }))).toEqual([
      { title: 'Shop down', time: -2 * hour },
      { title: 'Buy down', time: -2 * hour },
    ]);
  });

  test.each([
    ['from=yesterday', /"from" must be a time: a date such as 2025-11-01, a time such as/],
    ['to=2026-13-01T00:00:00Z', /"to" must be a time/],
    ['to=-5', /"to" must be a time/],
    ['to=', /"to" must be a time/],
    ['from=1&from=2', /from is given more than once/],
    ['from=20&to=10', /"from" must not be after "to"/],
    ['account=none', /unknown account "none": expected one of main/],
    ['until=1', /unknown parameter "until": expected one of from, to, account, group, tag, check/],
  ])('?%s is refused', async (query, reason) => {
    const { status, text } = await request(testApp({ accounts: [main] })).get(
      `/outages.json?${query}`,
    );
    expect(status).toBe(400);
    expect(text).toMatch(reason);
  });

  test.each([
    ['/outages.json', 'new,cut%20off'],
    ['/outages.csv?account=cut+off', 'cut%20off'],
    ['/outages.json?account=main', undefined],
  ])('%s names the accounts that cannot be read', async (path, names) => {
    const { starting, stale } = accountsByState;
    const { status, headers } = await request(testApp({ accounts: [main, starting, stale] })).get(
      path,
    );
    expect(status).toBe(200);
    expect(headers['x-unreadable-accounts']).toBe(names);
  });

  test('tells at most the last 5,000, and how many there are', async () => {
    const many = Array.from({ length: 3_000 }, (_, id) => checkWith({ id }));
    const snapshot = healthySnapshot({ checks: many });
    const states = { ofCheck: () => failed, ofTransaction: () => undefined };
    const { body, headers } = await request(
      testApp({ accounts: [{ ...main, snapshot, states }] }),
    ).get('/outages.json');

    expect(headers['x-total-count']).toBe('6000');
    expect(body).toHaveLength(5_000);
    expect(body.at(-1).time).toBe((noon - 300) * 1000);
  });
});
