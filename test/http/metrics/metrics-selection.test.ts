import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { MetricsSource } from '../../../src/exposition/formats.ts';
import { type PageSelection, SelectionError } from '../../../src/exposition/page/selection.ts';
import { exposed, testApp } from '../../support/http-app.ts';

/** The selection that a scrape of a path requests from the source. */
async function askedFor(path: string): Promise<PageSelection | undefined> {
  let asked: PageSelection | undefined;
  const metrics: MetricsSource = {
    read: async (_format, _encoding, selection) => {
      asked = selection;
      return exposed([Buffer.from('a 1\n')]);
    },
  };
  const reply = await request(testApp({ metrics })).get(path).set('Accept-Encoding', 'identity');
  expect(reply.status).toBe(200);
  return asked;
}

describe('the query of /metrics', () => {
  test.each([
    ['/metrics', {}],
    ['/metrics?', {}],
    ['/metrics?account=a%20b', { accounts: new Set(['a b']) }],
    ['/metrics?account=a?b', { accounts: new Set(['a?b']) }],
    ['/metrics?account=a&account=b', { accounts: new Set(['a', 'b']) }],
    ['/metrics?account[]=a&account=b', { accounts: new Set(['a', 'b']) }],
    ['/metrics?target=a&collect[]=b&my_account=c', {}],
    ['/metrics?dataset[]=checks', { parts: new Set(['checks']) }],
    ['/metrics?dataset%5B%5D=checks', { parts: new Set(['checks']) }],
    ['/metrics?dataset[]=checks&dataset[]=results', { parts: new Set(['checks', 'results']) }],
    ['/metrics?dataset=exporter', { parts: new Set(['exporter']) }],
    [
      '/metrics?account=a&dataset[]=credits',
      { accounts: new Set(['a']), parts: new Set(['credits']) },
    ],
  ])('%s asks for %j', async (path, selection) => {
    expect(await askedFor(path)).toEqual(selection);
  });

  test('is refused with the datasets that there are when it names another', async () => {
    const reply = await request(testApp()).get('/metrics?dataset[]=check');

    expect(reply.status).toBe(400);
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(reply.text).toMatch(
      /^unknown dataset "check": expected one of checks, .*, exporter\.\n$/,
    );
  });

  test.each([
    'account[0]',
    'accounts',
    'account_name',
    'dataset[0]',
    'datasets',
    'dataset[',
    'Account',
  ])('is refused when it asks for a part by %s', async (name) => {
    const query = new URLSearchParams([[name, 'checks']]);
    const reply = await request(testApp()).get(`/metrics?${query}`);

    expect(reply.status).toBe(400);
    expect(reply.text).toBe(
      `unknown parameter ${JSON.stringify(name)}: expected one of account, account[], dataset, dataset[], compat.\n`,
    );
  });

  test('is refused with what the source says of an account it does not have', async () => {
    const read = () => Promise.reject(new SelectionError('unknown account "x": expected one of a'));

    const reply = await request(testApp({ metrics: { read } })).get('/metrics?account=x');

    expect(reply.status).toBe(400);
    expect(reply.text).toBe('unknown account "x": expected one of a.\n');
  });
});
