import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../support/http-app.ts';
import { noon } from '../../support/snapshots.ts';
import { account, app, changed, other, stale } from './support.ts';

describe('a badge', () => {
  test('says the state of a check and its availability', async () => {
    const up = await app(account).get('/badge/1.svg');
    expect(up.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-cache',
    });
    expect(up.body.toString()).toContain('aria-label="uptime 30d: up · 100 %"');

    const down = await app(account).get('/badge/3.svg');
    expect(down.body.toString()).toContain('aria-label="uptime 30d: down · 99.91 %"');
    const journey = await app(account).get('/badge/501.svg');
    expect(journey.body.toString()).toContain('aria-label="uptime 30d: down"');
  });

  test('is of the window that is asked for, and of the account where several have the id', async () => {
    const labelOf = async (query: string) => {
      const reply = await app(account, other).get(`/badge/3.svg${query}`);
      return [reply.status, /aria-label="([^"]*)"/.exec(`${reply.body}`)?.[1]];
    };

    expect(await labelOf('?window=24h&account=main')).toEqual([200, 'uptime 24h: down · 97.2 %']);
    expect(await labelOf('?account=main&window=7d')).toEqual([200, 'uptime 7d: down · 99.6 %']);
    expect((await labelOf('?window=7d'))[0]).toBe(404);
    expect((await labelOf('?account=main&window=1y'))[0]).toBe(400);
  });

  test('of a check that was created two minutes ago shows its age', async () => {
    const young = changed(() => ({ createdAtSeconds: noon - 120 }));
    const reply = await app(young).get('/badge/1.svg');

    expect(`${reply.body}`).toContain('aria-label="uptime 30d: up · 100 % of 2 min"');
    const page = await app(young).get('/accounts/main/checks/1');
    expect(page.text).not.toMatch(/Up, 30d/);
    expect(page.text).toContain('<dt>Up, 2 min</dt><dd>100 %</dd>');
  });

  test('of a check that is up with an overspent error budget is not green, and says why', async () => {
    const overspent = changed(
      ({ budget }) => (budget && { budget: { ...budget, remainingRatio: -8 } }) ?? {},
    );
    const badgeOf = async (id: number) => `${(await app(overspent).get(`/badge/${id}.svg`)).body}`;

    expect(await badgeOf(1)).toContain('aria-label="uptime 30d: up · 100 % · budget overspent"');
    expect(await badgeOf(1)).toContain('fill="#805700"');
    expect(await badgeOf(3)).toContain('fill="#b3320a"');
  });

  test('of a stale list does not show the last state as the present one', async () => {
    const reply = await app(stale).get('/badge/1.svg');

    expect(`${reply.body}`).toContain('aria-label="uptime 30d: unknown · 100 %"');
    expect(`${reply.body}`).toContain('fill="#57606a"');
    const journey = await app(stale).get('/badge/502.svg');
    expect(`${journey.body}`).toContain('aria-label="uptime 30d: up');
  });

  test.each(['/badge/99.svg', '/badge/1', '/badge/x.svg', '/badge/1.svg.svg'])(
    'is not found at %s',
    async (path) => {
      expect((await app(account).get(path)).status).toBe(404);
    },
  );
});

test('the favicon is a picture', async () => {
  const reply = await request(testApp()).get('/favicon.ico');
  expect(reply.headers['content-type']).toBe('image/svg+xml');
});
