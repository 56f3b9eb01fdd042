import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../support/http-app.ts';
import { accountsByState, healthySnapshot } from '../../support/snapshots.ts';

const main = accountsByState.ok;
const second = { ...main, snapshot: healthySnapshot({ account: 'second' }) };

describe('/metrics?compat=', () => {
  test('serves the families of the other exporter alone, as text', async () => {
    const { status, headers, text } = await request(testApp({ accounts: [main] }))
      .get('/metrics?compat=kokuwaio')
      .set('Accept', 'application/openmetrics-text');

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toMatch(/^# HELP pingdom_up /);
    expect(text.match(/^[a-z]+_/gm)).toSatisfy((names: string[]) =>
      names.every((name) => name === 'pingdom_'),
    );
  });

  test.each([
    ['compat=other', /unknown compat "other": expected one of kokuwaio, jusbrasil, giantswarm/],
    ['compat=', /unknown compat ""/],
    ['compats=kokuwaio', /unknown parameter "compats": expected one of .*compat/],
    ['compat=kokuwaio', /"account" is required with "compat": expected one of main, second/],
    ['compat=kokuwaio&account=third', /unknown account "third": expected one of main, second/],
    ['compat=kokuwaio&account=main&account=second', /one exporter and one account/],
    ['compat=kokuwaio&compat=jusbrasil&account=main', /one exporter and one account/],
    ['compat=kokuwaio&account=main&dataset=checks', /cannot be combined with "dataset"/],
  ])('?%s is refused', async (query, reason) => {
    const app = testApp({ accounts: [main, second] });
    const { status, text } = await request(app).get(`/metrics?${query}`);

    expect(status).toBe(400);
    expect(text).toMatch(reason);
  });

  test('has no series of an account that another replica serves', async () => {
    const shared = { holder: 'r2', isHeld: false, remainingSeconds: 0 };
    const accounts = ['main', 'third'].map((account) => ({ account, ...shared }));
    const replicas = () => ({ replica: 'r1', isDatabaseUp: true, accounts });
    const app = testApp({ status: { accounts: () => [main], replicas } });
    for (const encoding of ['identity', 'gzip']) {
      const { status, text } = await request(app)
        .get('/metrics?compat=kokuwaio&account=third')
        .set('Accept-Encoding', encoding);
      expect([status, text]).toEqual([200, '']);
    }
    expect((await request(app).get('/metrics?compat=kokuwaio&account=main')).text).not.toBe('');
    const { status, text } = await request(app).get('/metrics?compat=kokuwaio');
    expect(status).toBe(400);
    expect(text).toContain('expected one of main, third');
  });

  test('costs nothing where it is not asked for', async () => {
    let read = 0;
    const states = { ofCheck: () => void read++, ofTransaction: () => void read++ };
    const app = testApp({ accounts: [{ ...main, states }] });
    await request(app).get('/metrics');
    expect(read).toBe(0);
    await request(app).get('/metrics?compat=kokuwaio');
    expect(read).toBe(5);
  });
});
