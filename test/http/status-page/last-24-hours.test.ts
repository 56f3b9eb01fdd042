import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { AccountStatus } from '../../../src/http/ports.ts';
import { testApp } from '../../support/http-app.ts';
import {
  accountsByState,
  checkWith,
  healthySnapshot,
  historyOf,
  noHistory,
  noon,
} from '../../support/snapshots.ts';

const day = 86_400;

async function pageOf(overrides: Partial<AccountStatus>): Promise<string> {
  const account = { ...accountsByState.ok, ...overrides };
  return (await request(testApp({ accounts: [account] })).get('/')).text;
}

const words = (page: string) => page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const strips = (page: string) =>
  [...page.matchAll(/<li><bdi class="who">([^<]*)<\/bdi>/g)].map(([, name]) => name);

describe('the last 24 hours', () => {
  const snapshot = healthySnapshot({ checks: [checkWith({ id: 1 }), checkWith({ id: 2 })] });

  test('are a bar for each span at its place, and the same in words', async () => {
    const checks = historyOf({
      1: [
        { state: 'up', fromSeconds: noon - day, toSeconds: noon - day / 2 },
        { state: 'down', fromSeconds: noon - day / 2, toSeconds: noon - day / 4 },
        { state: 'unmonitored', fromSeconds: noon - day / 4, toSeconds: noon - day / 8 },
        { state: 'up', fromSeconds: noon - day / 8, toSeconds: noon },
      ],
    });
    const page = await pageOf({ snapshot, recent: { ...noHistory, checks } });

    expect(page).toContain('<rect class="d-up" x="0" y="10" width="720" height="14"/>');
    expect(page).toContain('<rect class="d-down" x="720" y="0" width="360" height="24"/>');
    expect(page).toContain('<rect class="d-unmonitored" x="1080" y="20" width="180" height="4"/>');
    expect(page).toContain('<rect class="d-up" x="1260" y="10" width="180" height="14"/>');
    expect(words(page)).toContain('check 1 71.42 % up, down once, 6 h');
    expect(words(page)).toContain('check 2 nothing known yet');
  });

  test('show an outage of a minute wide enough to be seen, within the bar', async () => {
    const checks = historyOf({
      1: [
        { state: 'up', fromSeconds: noon - day, toSeconds: noon - 60 },
        { state: 'down', fromSeconds: noon - 60, toSeconds: noon },
      ],
    });
    const page = await pageOf({ snapshot, recent: { ...noHistory, checks } });

    expect(page).toContain('<rect class="d-down" x="1434" y="0" width="6" height="24"/>');
    expect(words(page)).toContain('99.93 % up, down once, 1 min');
  });

  test('say how much of them is known when it is not all', async () => {
    const checks = historyOf({
      1: [{ state: 'up', fromSeconds: noon - 3_600, toSeconds: noon }],
      2: [{ state: 'unmonitored', fromSeconds: noon - 3_600, toSeconds: noon }],
    });
    const page = words(await pageOf({ snapshot, recent: { ...noHistory, checks } }));

    expect(page).toContain('check 1 100 % up of 1 h');
    expect(page).toContain('check 2 not monitored of 1 h');
  });

  test('are shown of 100 checks, those with incidents first, most of them folded', async () => {
    const many = Array.from({ length: 130 }, (_, index) => checkWith({ id: index + 1 }));
    const down = (id: number, seconds: number) => [
      id,
      [{ state: 'down', fromSeconds: noon - seconds, toSeconds: noon }],
    ];
    const checks = historyOf(Object.fromEntries([down(130, 60), down(77, 600)]));
    const page = await pageOf({
      snapshot: healthySnapshot({ checks: many }),
      recent: { ...noHistory, checks },
    });

    expect(strips(page)).toHaveLength(100);
    expect(strips(page).slice(0, 3)).toEqual(['check 77', 'check 130', 'check 1']);
    expect(page).toContain('<details><summary>88 more</summary>');
    expect(words(page)).toContain('30 more are not shown; they had fewer incidents.');
  });

  test('are not shown while the check list is stale', async () => {
    expect(await pageOf(accountsByState.stale)).not.toContain('Last 24 hours');
  });
});

describe('transactions', () => {
  const transactions = [
    { id: 1, name: 'Buy <b>', status: 'failing', failingStep: 3, kind: 'script', tags: [] },
    { id: 2, name: 'Log in', status: 'successful', kind: 'script', tags: [] },
    {
      id: 3,
      name: 'Search',
      status: 'failing',
      kind: 'script',
      tags: [],
      lastDowntimeStartAtSeconds: noon - 90,
    },
  ] as const;

  test('are counted by status, with the step at which one fails and since when', async () => {
    const page = await pageOf({ snapshot: healthySnapshot({ transactions }) });

    for (const phrase of [
      'Transactions 3 in all',
      '1 Successful 2 Failing 0 Unknown',
      'Buy &lt;b&gt; transaction 1 step 3 not known',
      'Search transaction 3 not known 1 min 30 s 2026-01-05 11:58:30 UTC',
    ]) {
      expect(words(page)).toContain(phrase);
    }
    expect(strips(page)).toContain('Log in');
  });

  test('are left out where there are none', async () => {
    expect(await pageOf({ snapshot: healthySnapshot({ transactions: [] }) })).not.toContain(
      'Transactions',
    );
  });
});

describe('the plan', () => {
  test('tells where both windows end', async () => {
    const page = words(await pageOf({ plan: { requestsPerSecond: 0.02 } }));

    expect(page).toContain('At the planned 72 an hour, 282 are left at the reset.');
    expect(page).toContain('At the planned 72 an hour, 15,552 are left at the reset.');
    expect(page).not.toContain('The exporter slows down');
  });

  test('that would touch the reserve says that it will not', async () => {
    const page = words(await pageOf({ plan: { requestsPerSecond: 0.3 } }));

    expect(page).toContain('0 are left at the reset. The exporter slows down before');
  });

  test('that falls short says what is too slow and what to switch off', async () => {
    const shortfall = {
      datasets: ['checks', 'results'],
      missingPerHour: 311.4,
      switchOff: ['results', 'performance'],
      enough: false,
    } as const;
    const page = words(await pageOf({ plan: { requestsPerSecond: 0.02, shortfall } }));

    expect(page).toContain('The request budget is too small.');
    expect(page).toContain(
      'Refreshed too seldom: checks, results. About 312 more requests an hour',
    );
    expect(page).toContain('switch off results, performance, which helps in part, or have the');
  });

  test('that is enough says nothing of it', async () => {
    expect(await pageOf({ plan: { requestsPerSecond: 0.02 } })).not.toContain('too small');
  });
});
