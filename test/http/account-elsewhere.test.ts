import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { testApp } from '../support/http-app.ts';
import { livelyAccount } from '../support/lively-account.ts';

const elsewhere = {
  ...{ account: 'other', isHeld: false, holder: 'b', url: 'http://b.example.com/' },
  ...{ expiredTakes: 0, remainingSeconds: 0 },
};

/** A replica that serves the account `main`, while the replica `b` serves the account `other`. */
function get(path: string) {
  const status = {
    accounts: () => [livelyAccount(6)],
    replicas: () => ({ replica: 'a', isDatabaseUp: true, accounts: [elsewhere] }),
  };
  return request(testApp({ status })).get(path);
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

  test('a check that its owner does not have does not exist', async () => {
    const response = await get('/accounts/main/checks/99');

    expect(response.status).toBe(404);
    expect(response.text).toContain('There is no such check.');
  });
});
