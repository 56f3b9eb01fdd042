import request from 'supertest';
import { expect, test } from 'vitest';
import type { ReplicasView } from '../../../src/http/ports.ts';
import { application, monthsOf, october } from '../../months/support/october.ts';
import { testApp } from '../../support/http-app.ts';
import { accountsByState } from '../../support/snapshots.ts';

const shared: ReplicasView = {
  replica: 'a',
  isDatabaseUp: true,
  accounts: [{ account: 'main', isHeld: true, remainingSeconds: 10 }],
};

test.each([
  ...['/', '/groups', '/groups/unknown', '/outages', '/outages.csv', '/budget', '/runbook'],
  ...['/accounts/main/checks/1', '/checks/1', '/badge/1.svg', '/nowhere', '/status.json'],
  ...['/outages.json', '/sd'],
])('%s makes the statuses of the accounts once', async (path) => {
  let made = 0;
  const status = {
    accounts: () => {
      made += 1;
      return [accountsByState.ok];
    },
    replicas: () => shared,
  };
  const { status: code } = await request(testApp({ status })).get(path).set('Accept', 'text/html');

  expect(code).toBeLessThan(500);
  expect(made).toBeLessThanOrEqual(1);
});

test('/report makes the statuses of the accounts once', async () => {
  let made = 0;
  const status = {
    accounts: () => {
      made += 1;
      return [accountsByState.ok];
    },
  };
  const { status: code } = await request(application([monthsOf('main', october)], { status })).get(
    '/report',
  );

  expect([code, made]).toEqual([200, 1]);
});
