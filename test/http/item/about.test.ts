import request from 'supertest';
import { expect, test } from 'vitest';
import { testApp } from '../../support/http-app.ts';
import { checkWith, datasetWith, healthyAccount, noon, statesBy } from '../../support/snapshots.ts';

test.each([
  [99, false],
  [100, true],
])('the page of a check with %d tags says that more are not read: %s', async (count, isSaid) => {
  const tags = Array.from({ length: count }, (_, place) => ({
    name: `tag-${place}`,
    source: 'user' as const,
  }));
  const accounts = [healthyAccount({ checks: [{ ...checkWith({ id: 1 }), tags }] })];
  const { text } = await request(testApp({ accounts })).get('/accounts/main/checks/1');

  expect(text.includes('at most 100 are read')).toBe(isSaid);
});

test.each([
  ['is read', { detail: datasetWith(), transaction_performance: datasetWith() }, true],
  ['is switched off', {}, false],
])(
  'the page of an item says of a dataset that %s whether it is to come',
  async (_, read, isSaid) => {
    const account = healthyAccount({
      checks: [checkWith({ id: 1 })],
      transactions: [{ id: 2, name: 'a', status: 'successful', kind: 'script', tags: [] }],
      datasets: { checks: datasetWith(), transactions: datasetWith(), ...read },
    });
    const app = request(testApp({ accounts: [account] }));
    const check = (await app.get('/accounts/main/checks/1')).text;
    const transaction = (await app.get('/accounts/main/transactions/2')).text;

    expect(check).toContain(`<dt>Notified</dt><dd>not read${isSaid ? ' yet' : ''}</dd>`);
    expect(transaction).toContain(isSaid ? '<p>Not known yet.</p>' : '<p>Steps are not read.</p>');
  },
);

const day = 86_400;

/** Counted since a day ago up to a time, with a past before that. */
function countedUntil(horizonSeconds: number) {
  const spans = [{ state: 'up', fromSeconds: noon - 30 * day, toSeconds: horizonSeconds }] as const;
  const item = statesBy({ 1: spans })(1);
  if (item === undefined) return undefined;
  const states = { ...item.known.states, startSeconds: noon - day };
  return { ...item, known: { ...item.known, states } };
}

test.each([
  ['before anything is known', undefined, 'Nothing is counted yet.'],
  [
    'after its past was read, before anything since then is counted',
    countedUntil(noon - day),
    'Counted from 2026-01-04 12:00:00 UTC on: nothing after that is counted yet.',
  ],
  ['later', countedUntil(noon - 60), 'Counted until 2026-01-05 11:59:00 UTC, 1 min ago.'],
])('the page of a check says %s until when it is counted', async (_, item, said) => {
  const states = { ofCheck: () => item, ofTransaction: () => undefined };
  const accounts = [{ ...healthyAccount({ checks: [checkWith({ id: 1 })] }), states }];
  const { text } = await request(testApp({ accounts })).get('/accounts/main/checks/1');

  expect(text.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')).toContain(said);
});
