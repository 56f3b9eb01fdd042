import { request } from 'undici';
import { expect, test } from 'vitest';
import { bearerToken } from '../../src/api/http/authentication.ts';
import { BudgetParts } from '../../src/app/budget-parts.ts';
import {
  accountsWithEqualCredentials,
  credentialsMark,
} from '../../src/config/equal-credentials.ts';
import { Secret } from '../../src/lib/secret.ts';
import { World } from '../life/world.ts';
import { extent } from '../support/extent.ts';
import { sandboxAccount } from '../support/sandbox-exporter.ts';
import { servedOnly } from '../support/served-only.ts';
import { startWatchedSandbox } from '../support/watched-sandbox.ts';

const hour = 3_600;
const url = 'https://api.example.com';
const account = (name: string, token = 'token-of-both-accounts', baseUrl = url) => ({
  ...sandboxAccount({ url: baseUrl }),
  name,
  authentication: bearerToken(new Secret(token)),
});

test('accounts with equal address and token are one for the service', () => {
  const accounts = [
    account('web'),
    account('other', 'token-of-another-account'),
    account('rest', undefined, `${url}/`),
    account('elsewhere', undefined, 'https://api.example.org'),
  ];

  expect(accountsWithEqualCredentials(accounts)).toEqual([['web', 'rest']]);
  const [web, other, rest, elsewhere] = accounts.map(credentialsMark);
  expect(web).toMatch(/^[0-9a-f]{4}$/);
  expect([web === rest, web === other, web === elsewhere]).toEqual([true, false, false]);
});

test.each([
  ['nothing is known', {}, [0.5, 0.5]],
  ['one is known', { web: 30 }, [0.5, 0.5]],
  ['both are known', { web: 30, rest: 10 }, [0.75, 0.25]],
  ['one is tiny', { web: 1_000, rest: 1 }, [10 / 11, 1 / 11]],
])('each plans with its part: %s', (_, sizes: Record<string, number>, shares) => {
  const parts = new BudgetParts([account('web'), account('rest')], (name) => sizes[name]);

  expect(['web', 'rest'].map((name) => parts.of(name).share)).toEqual(shares);
  expect(parts.of('web').sharedWith).toEqual(['rest']);
  expect(parts.of('alone')).toEqual({ share: 1, sharedWith: [] });
});

test.each(extent([2], [1, 2, 3]))(
  'accounts with one token keep the reserve of its budget together: %d',
  async (seed) => {
    const limit = 30;
    const world = World.inMemory({
      ...{ seed, checks: 10 * seed, transactions: 2 },
      ...{ shortLimit: limit, longLimit: 180 * limit },
      served: servedOnly(),
    });
    const { limits, journal } = world.sandbox;
    const spend = limits.spend.bind(limits);
    let least = limit;
    limits.spend = () => {
      const isAllowed = spend();
      least = Math.min(least, limits.reading('short').remaining);
      return isAllowed;
    };
    const accounts = [{ name: 'web' }, { name: 'rest' }, { name: 'third' }] as const;
    await world.start(...accounts);
    await world.pass(2 * hour);
    await world.crash();
    await world.start(...accounts);
    await world.pass(hour);
    await world.reload({ name: 'web', concurrency: 2 }, accounts[1]);
    await world.pass(2 * hour);
    await world.stop();

    expect(journal.total).toBeGreaterThan(2 * (limit - 6));
    expect(journal.countOfStatus(429)).toBe(0);
    expect(least).toBeGreaterThanOrEqual(6);
  },
);

test('two accounts with one token together plan its budget, and say so', async () => {
  const watched = await startWatchedSandbox({
    checks: 8,
    transactions: 0,
    shortLimit: 100,
    longLimit: 18_000,
    configuration: (address) => ({
      accounts: [0, 1].map((rest) => ({
        ...sandboxAccount({ url: address }),
        name: rest === 0 ? 'web' : 'rest',
        filter: ({ id }) => id % 2 === rest,
      })),
    }),
  });
  const minute = 60_000;
  await watched.pass(5 * minute);
  const accounts = async () => {
    const { body } = await request(`${watched.url}/status.json`);
    const status = (await body.json()) as {
      accounts: { budget: { requests_per_second: number } }[];
    };
    return status.accounts.map(({ budget }) => 3_600 * budget.requests_per_second);
  };
  for (let passed = 5; passed < 60; passed += 5) {
    const [web = 0, rest = 0] = await accounts();
    const { remaining, resetSeconds } = watched.sandbox.limits.reading('short');
    const sustained = (Math.max(0, remaining - 20) * 3_600) / resetSeconds;
    expect(web + rest).toBeLessThanOrEqual(1.15 * sustained + 2);
    await watched.pass(5 * minute);
  }
  expect(watched.sandbox.journal.countOfStatus(429)).toBe(0);
  const page = await (await request(`${watched.url}/`)).body.text();
  expect(page).toMatch(
    /has the same credentials, so they share this budget. This account plans \d+ % of it/,
  );
  expect(watched.log()).toMatch(/level=warn .*equal credentials and one budget.*web.*rest/);
});
