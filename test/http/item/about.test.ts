import request from 'supertest';
import { expect, test } from 'vitest';
import { testApp } from '../../support/http-app.ts';
import { accountsByState, checkWith, healthySnapshot } from '../../support/snapshots.ts';

test.each([
  [99, false],
  [100, true],
])('the page of a check with %d tags says that more are not read: %s', async (count, isSaid) => {
  const tags = Array.from({ length: count }, (_, place) => ({
    name: `tag-${place}`,
    source: 'user' as const,
  }));
  const snapshot = healthySnapshot({ checks: [{ ...checkWith({ id: 1 }), tags }] });
  const accounts = [{ ...accountsByState.ok, snapshot }];
  const { text } = await request(testApp({ accounts })).get('/accounts/main/checks/1');

  expect(text.includes('at most 100 are read')).toBe(isSaid);
});
