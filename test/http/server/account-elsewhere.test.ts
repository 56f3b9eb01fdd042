import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { AppOptions } from '../../../src/http/server/create-app.ts';
import { reportRoutes } from '../../../src/months/http/handlers.ts';
import { testApp } from '../../support/http-app.ts';
import { livelyAccount } from '../../support/lively-account.ts';

const elsewhere = {
  ...{ account: 'other', isHeld: false, holder: 'b', url: 'http://b.example.com/' },
  ...{ expiredTakes: 0, remainingSeconds: 0 },
};

/** A replica that serves these accounts, while the replica `b` serves the account `other`. */
function get(path: string, accounts = [livelyAccount(6)]) {
  const status = {
    accounts: () => accounts,
    replicas: () => ({ replica: 'a', isDatabaseUp: true, accounts: [elsewhere] }),
  };
  const routes: AppOptions['routes'] = (site) => reportRoutes({ status, site, months: () => [] });
  return request(testApp({ status, routes })).get(path);
}

describe('an account of another replica', () => {
  test.each([
    '/accounts/other/checks/3',
    '/accounts/other/transactions/501',
    '/badge/3.svg?account=other',
    '/groups/web?account=other',
    '/outages?account=other',
    '/outages?account=main&account=other',
    '/outages.csv?account=other',
    '/outages.json?account=other',
  ])('%s names its owner, and does not report that it has nothing', async (path) => {
    const response = await get(path);

    expect(response.status).toBe(421);
    expect(response.text).toContain('its owner is the replica b, http://b.example.com/');
  });

  test.each(['/checks/99', '/transactions/99', '/badge/99.svg'])(
    '%s may be there: an id without an account is unknown to this replica only',
    async (path) => {
      const response = await get(path);

      expect(response.status).toBe(404);
      expect(response.text).toContain('in the accounts of this replica');
    },
  );

  test.each(['/accounts/main/checks/3', '/outages?account=main', '/outages', '/outages?account='])(
    '%s responds as without replicas',
    async (path) => {
      expect((await get(path)).status).toBe(200);
    },
  );

  test.each([
    '/groups',
    '/outages',
    '/outages?tag=web',
    '/outages.csv',
    '/outages.json',
    '/budget',
    '/report',
    '/report.json',
    '/report?month=2026-01',
    '/groups/web',
    '/accounts/main/checks/3',
    '/badge/3.svg',
  ])('%s of a replica without accounts does not report that there is nothing', async (path) => {
    const response = await get(path, []);

    expect(response.status).toBe(503);
    expect(response.text).toContain('this replica owns no account');
  });

  test.each(['/', '/groups', '/outages', '/budget', '/accounts/main/checks/3'])(
    '%s shows that it has the accounts of this replica only',
    async (path) => {
      const { text } = await get(path);

      expect(text).toContain('This replica shows its own accounts, 1 of 2.');
      expect(text).toMatch(/<a href="[./]*#replicas">/);
    },
  );

  test('a check that its owner does not have does not exist', async () => {
    const response = await get('/accounts/main/checks/99');

    expect(response.status).toBe(404);
    expect(response.text).toContain('There is no such check.');
  });
});
