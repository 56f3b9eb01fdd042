import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../support/http-app.ts';
import { livelyAccount } from '../../support/lively-account.ts';

const app = request(testApp({ accounts: [livelyAccount(6)] }));

describe('a parameter with place for one value', () => {
  test.each([
    ...['/?state=down', '/?q=shop', '/?account=main', '/groups?group=Shop', '/groups/Shop?size=25'],
    '/groups/Shop?account=main',
    ...[
      '/outages?from=1',
      '/outages.csv?csv=comma',
      '/outages.json?to=2',
      '/badge/1.svg?window=7d',
    ],
    '/accounts/main/checks/1?range=7d',
  ])('is refused if it is given twice: %s', async (path) => {
    const [, parameter = '', name] = /\?((\w+)=.*)/.exec(path) ?? [];
    const { status, text } = await app.get(`${path}&${parameter}`);
    expect({ status, text }).toEqual({ status: 400, text: `${name} is given more than once.\n` });
    expect((await app.get(path)).status).not.toBe(400);
  });

  test('of a request for causes is refused if it is given twice', async () => {
    const { status, text } = await app.post('/-/causes?check=1&check=2&from=1');
    expect({ status, text }).toEqual({ status: 400, text: 'check is given more than once.\n' });
  });
});

test.each(['/outages.json?tag=a', '/outages?check=1', '/sd?state=up'])(
  'a filter can have several values: %s',
  async (path) => {
    const [, parameter = ''] = /\?(.*)/.exec(path) ?? [];
    expect((await app.get(`${path}&${parameter}`)).status).toBe(200);
  },
);
