import request from 'supertest';
import { expect, test } from 'vitest';
import { backfillRoutes } from '../../../src/backfill/http/handlers.ts';
import type { BackfillControl } from '../../../src/backfill/job/control.ts';
import type { SharedAccountView } from '../../../src/http/ports.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { testApp } from '../../support/http-app.ts';

/** A replica that owns no account, and knows this one. */
function idleReplica(shop: Pick<SharedAccountView, 'holder' | 'url'>) {
  const account = { account: 'shop', isHeld: false, remainingSeconds: 0, ...shop };
  const replicas = () => ({ replica: 'r1', isDatabaseUp: true, accounts: [account] });
  const routes = () =>
    backfillRoutes({ status: { replicas }, controls: () => [], clock: systemClock });
  return request(testApp({ status: { accounts: () => [], replicas }, routes }));
}

test.each([
  [{ holder: 'r2', url: 'http://r2:9158/' }, 'its owner is the replica r2, http://r2:9158/.'],
  [{ holder: 'r2' }, 'its owner is the replica r2.'],
  [{}, 'its owner is not known.'],
])('the job of an account that this replica does not own, with %j: %s', async (shop, owner) => {
  const app = idleReplica(shop);
  for (const asked of [
    app.get('/-/backfill?account=shop'),
    app.post('/-/backfill?account=shop&from=2025-01-01'),
    app.get('/-/backfill/items?account=shop'),
  ]) {
    const { status, text } = await asked;
    expect(status).toBe(421);
    expect(text).toContain(owner);
  }
});

test('without a name the accounts of all replicas are offered', async () => {
  const { status, text } = await idleReplica({}).post('/-/backfill?from=2025-01-01');
  expect(status).toBe(400);
  expect(text).toContain('account must name one of shop');
});

test('an item that cannot be sent fails the response, and not the exporter', async () => {
  const control = {
    account: 'shop',
    view: {},
    items: () => {
      throw new Error('a bug');
    },
  } as unknown as BackfillControl;
  const status = { accounts: () => [] };
  const routes = () =>
    backfillRoutes({ status: {}, controls: () => [control], clock: systemClock });
  const app = request(testApp({ status, routes }));

  expect(await app.get('/-/backfill/items')).toMatchObject({ status: 500 });
});

test.each([
  ['from=999', 200, 'accounts'],
  ['from=1000', 400, 'from must be in the past'],
  ['from=900&to=901', 200, 'accounts'],
  ['from=900&to=900', 400, 'to must be later than from'],
])('the response to %s at the time 1000 is %i: %s', async (query, status, text) => {
  const clock = { now: () => 1_000_000 };
  const routes = () => backfillRoutes({ status: {}, controls: () => [], clock });
  const app = request(testApp({ status: { accounts: () => [] }, routes }));

  expect(await app.get(`/-/backfill?${query}`)).toMatchObject({
    ...{ status, text: expect.stringContaining(text) },
  });
});
