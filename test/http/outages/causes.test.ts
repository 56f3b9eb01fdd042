import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { AppOptions } from '../../../src/http/server/create-app.ts';
import { testApp } from '../../support/http-app.ts';
import { accountWith, datasetWith } from '../../support/snapshots.ts';
import { account, begin, explained, open } from '../support/asked-account.ts';

function post(
  { status }: ReturnType<typeof account>,
  query = `check=3&from=${begin}`,
  options: Partial<AppOptions> = {},
) {
  return request(testApp({ accounts: [status], ...options })).post(`/-/causes?${query}`);
}

describe('POST /-/causes', () => {
  test('asks for the causes of one outage, and says what will be read and when', async () => {
    const shop = account();

    const response = await post(shop);

    expect(response.status).toBe(202);
    expect(response.body).toEqual({
      ...{ account: 'main', check: 3, from: begin, requests: 2, seconds: 13 },
    });
    expect(shop.asked).toEqual([[3, { fromSeconds: begin, toSeconds: begin + 600 }]]);
  });

  test('asks up to now for an open outage, and names no time without a budget', async () => {
    const shop = account({ waitSeconds: () => Number.POSITIVE_INFINITY });

    const response = await post(shop, `account=main&check=3&from=${open.fromSeconds}`);

    expect(response.status).toBe(202);
    expect(response.body).not.toHaveProperty('seconds');
    const range = { fromSeconds: open.fromSeconds, toSeconds: Number.POSITIVE_INFINITY };
    expect(shop.asked).toEqual([[3, range]]);
  });

  test('responds with causes that are known, and asks for nothing', async () => {
    const shop = account();

    const response = await post(shop, `check=3&from=${explained.fromSeconds}`);

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ causes: ['Timeout'] });
    expect(shop.asked).toEqual([]);
  });

  test.each([
    ['check=99&from=1', 404],
    [`check=3&from=${begin + 1}`, 404],
    [`from=${begin}`, 400],
    [`check=3%20or&from=${begin}`, 400],
    ['check=3', 400],
    ['check=3&from=soon', 400],
    [`check=3&from=${begin}&account=other`, 400],
    [`check=3&from=${begin}&until=1`, 400],
  ])('with %s responds with %i', async (query, status) => {
    const shop = account();

    expect((await post(shop, query)).status).toBe(status);
    expect(shop.asked).toEqual([]);
  });

  test('responds with 421 for an account of another replica', async () => {
    const shop = account();
    const elsewhere = { account: 'other', isHeld: false, holder: 'b', remainingSeconds: 0 };
    const status = {
      accounts: () => [shop.status],
      replicas: () => ({ replica: 'a', isDatabaseUp: true, accounts: [elsewhere] }),
    };

    const response = await post(shop, `check=3&from=${begin}&account=other`, { status });

    expect(response.status).toBe(421);
    expect(response.text).toContain('its owner is the replica b');
    expect(shop.asked).toEqual([]);
  });

  test('responds with 503 while the list is stale', async () => {
    const { status, asked } = account();
    const datasets = { ...status.snapshot.datasets, checks: datasetWith({ stale: true }) };
    const blind = accountWith(status, { datasets });

    expect((await post({ status: blind, asked })).status).toBe(503);
    expect((await post({ status: blind, asked }, 'check=99&from=1')).status).toBe(503);
    expect(asked).toEqual([]);
  });

  test('responds with 404 to an unknown check also while the list of transactions is stale', async () => {
    const { status, asked } = account();
    const datasets = { ...status.snapshot.datasets, transactions: datasetWith({ stale: true }) };
    const buy = { id: 7, name: 'Buy', status: 'unknown', kind: 'script', tags: [] } as const;
    const snapshot = { ...status.snapshot, transactions: [buy], datasets };
    const partial = { ...status, snapshot };

    expect((await post({ status: partial, asked }, 'check=99&from=1')).status).toBe(404);
  });

  test('responds with 503 while too many others wait, and with 409 if no data are read', async () => {
    expect((await post(account({ ask: () => false }))).status).toBe(503);
    expect((await post(account({ requests: () => 0 }))).status).toBe(409);
  });
});

describe('the view of a check', () => {
  const view = async (shop: ReturnType<typeof account>) =>
    (await request(testApp({ accounts: [shop.status] })).get('/accounts/main/checks/3')).text;

  test('has a button with the price below each outage without a cause', async () => {
    const text = await view(account());

    expect(text.match(/Read the cause/g)).toHaveLength(2);
    expect(text).toContain(`action="../../../-/causes?account=main&amp;check=3&amp;from=${begin}"`);
    expect(text).toContain('<small>2 requests</small>');
  });

  test.each([
    [{ stateOf: () => 'waiting' as const }, 'is read as soon as'],
    [{ stateOf: () => 'answered' as const }, 'no failed test'],
    [{ requests: () => 0 }, 'no results read'],
  ])('has no button if nothing is to be asked (%#)', async (causes, words) => {
    const text = await view(account(causes));

    expect(text).not.toContain('Read the cause');
    expect(text).toContain(words);
  });
});
