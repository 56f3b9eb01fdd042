import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { CheckStatus } from '../../../src/domain/check.ts';
import type { AccountStatus } from '../../../src/http/ports.ts';
import { groupRow } from '../../../src/slo/groups.ts';
import { testApp } from '../../support/http-app.ts';
import {
  accountsByState,
  accountWith,
  checkWith,
  healthyAccount,
  noon,
  statesBy,
} from '../../support/snapshots.ts';

const objective = { ratio: 0.99, reason: 'default' };

interface Member {
  readonly id: number;
  readonly status?: CheckStatus;
  /** The share of 30 days that it was down; undefined if its past is unknown. */
  readonly down?: number | undefined;
  readonly isUntested?: boolean;
  /** It was paused, or could not be tested, for 30 days. */
  readonly isIdle?: boolean;
  readonly inMaintenance?: boolean;
}

const month = 30 * 86_400;

function secondsOf({ down, isIdle = false }: Member) {
  if (isIdle) return { '30d': { up: 0, down: 0 } };
  return down === undefined ? {} : { '30d': { up: month * (1 - down), down: month * down } };
}

/** An account with some groups of checks. Each check is in one of them. */
function accountOf(groups: Readonly<Record<string, readonly Member[]>>): AccountStatus {
  const checks = Object.values(groups)
    .flat()
    .map(({ id, status = 'up', down, isUntested, isIdle, inMaintenance: active = false }) => {
      const { lastTestAtSeconds = noon, ...check } = checkWith({ id, status });
      const tested = { ...check, ...(isUntested !== true && { lastTestAtSeconds }) };
      const errorRatios = down === undefined || isIdle ? {} : { '30d': down };
      const budget = { objective, errorRatios, burnRates: {} };
      return { ...tested, budget, maintenance: { active } };
    });
  const rows = Object.entries(groups).map(([name, members]) =>
    groupRow(
      name,
      members.map((member) => {
        const { id, status = 'up', inMaintenance } = member;
        const hasOpenOutage = status === 'down' && inMaintenance !== true;
        return { id, status, seconds: secondsOf(member), hasOpenOutage };
      }),
      objective,
    ),
  );
  return healthyAccount({ checks, groups: rows });
}

async function groupsOf(account: AccountStatus) {
  const reply = await request(testApp({ accounts: [account] })).get('/status.json');
  return reply.body.accounts[0].groups;
}

async function wordsOf(account: AccountStatus): Promise<string> {
  const { text } = await request(testApp({ accounts: [account] })).get('/');
  const from = text.indexOf('id="groups"');
  const section = text.slice(from, text.indexOf('</section>', from));
  return section.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

describe('a group', () => {
  const shop = accountOf({
    calm: [
      { id: 1, down: 0 },
      { id: 2, down: 0 },
    ],
    shop: [
      { id: 3, down: 0.004 },
      { id: 4, down: 0.002, status: 'down' },
      { id: 5, down: 0 },
    ],
  });

  test('is in /status.json with its state, its worst check and its budget, the worst group first', async () => {
    const groups = await groupsOf(shop);

    expect(groups).toMatchObject([
      {
        name: 'shop',
        checks: 3,
        status: 'down',
        by_status: { up: 2, down: 1, unconfirmed_down: 0, unknown: 0, paused: 0 },
        objective_ratio: 0.99,
        worst_check: { id: 3, name: 'check 3', status: 'up', error_ratio: 0.004 },
      },
      { name: 'calm', checks: 2, status: 'up' },
    ]);
    expect(groups[0].error_ratio['30d']).toBeCloseTo(0.002, 12);
    expect(groups[0].error_budget_remaining_ratio).toBeCloseTo(0.8, 12);
    expect(groups[0].burn_rate['30d']).toBeCloseTo(0.2, 12);
    expect(groups[1]).not.toHaveProperty('worst_check');
    expect(groups[0]).not.toHaveProperty('not_known');
  });

  test('whose checks were all paused claims no availability of that time', async () => {
    const idle = accountOf({ idle: [7, 8].map((id) => ({ id, down: 0, status: 'paused' })) });
    const [day, from] = [86_400, noon - 35 * 86_400];
    const spans = [
      { state: 'up' as const, fromSeconds: from, toSeconds: noon - 2 * day },
      { state: 'unmonitored' as const, fromSeconds: noon - 2 * day, toSeconds: noon },
    ];
    const states = { ofCheck: statesBy({ 7: spans, 8: spans }), ofTransaction: () => undefined };
    const { text } = await request(testApp({ accounts: [{ ...idle, states }] })).get(
      '/groups/idle',
    );
    expect(text).toContain('<dt>Up, 24h</dt><dd>–</dd>');
    expect(text).toContain('<dt>Up, 7d</dt><dd>100 %</dd>');
  });

  test('is a row of the page that leads to its checks', async () => {
    const words = await wordsOf(shop);
    expect(words).toContain(
      'shop 3 checks, objective 99 % Down 1 of 3, check 4 check 3 99.6 % up in 30 days 99.8 % 80 % 0',
    );
    expect(words).toContain('calm 2 checks, objective 99 % Up all are well 100 % 100 % 0');

    const { text: home } = await request(testApp({ accounts: [shop] })).get('/');
    expect(home).toContain('href="./groups/shop?account=main"');
    const { text } = await request(testApp({ accounts: [shop] })).get('/groups/shop?account=main');
    const rows = text.slice(text.indexOf('data-live="list"')).matchAll(/checks\/(\d+)"/g);
    expect([...rows].map(([, id]) => Number(id)).sort()).toEqual([3, 4, 5]);
  });

  test('whose only problem is in maintenance says so, after every other problem', async () => {
    const planned = accountOf({
      planned: [
        { id: 1, down: 0, status: 'down', inMaintenance: true },
        { id: 2, down: 0 },
      ],
      other: [
        { id: 3, down: 0, status: 'down', inMaintenance: true },
        { id: 4, down: 0, status: 'unconfirmed_down' },
      ],
      whole: [{ id: 5, down: 0, inMaintenance: true }],
      part: [
        { id: 6, down: 0, inMaintenance: true },
        { id: 7, down: 0 },
      ],
      both: [
        { id: 8, down: 0, status: 'down', inMaintenance: true },
        { id: 9, down: 0, status: 'down' },
      ],
    });

    expect(await groupsOf(planned)).toMatchObject([
      { name: 'both', status: 'down', in_maintenance: false, worst_check: { id: 9 } },
      { name: 'other', status: 'unconfirmed_down', in_maintenance: false, worst_check: { id: 4 } },
      { name: 'planned', status: 'down', in_maintenance: true, worst_check: { id: 1 } },
      { name: 'part', status: 'up', in_maintenance: false },
      { name: 'whole', status: 'up', in_maintenance: true },
    ]);
    const words = await wordsOf(planned);
    expect(words).toContain('planned 2 checks, objective 99 % Down Maintenance 1 of 2 check 1');
    expect(words).toContain('other 2 checks, objective 99 % Unconfirmed down 1 of 2 check 4');
    expect(words).toContain('part 2 checks, objective 99 % Up all are well');
    expect(words).toContain('whole 1 check, objective 99 % Up Maintenance all are well');
  });

  test.each([
    [
      'a check was never tested',
      [
        { id: 1, down: 0 },
        { id: 2, isUntested: true },
      ],
      'Not known: 1 of 2 checks was never tested ( check 2 ).',
      {
        never_tested: { total: 1, items: [{ id: 2, name: 'check 2' }] },
        past_not_read: { total: 0 },
      },
    ],
    [
      'several checks were never tested',
      [{ id: 1, isUntested: true }, { id: 2, isUntested: true }, { id: 3 }],
      'Not known: 2 checks were never tested, and the past of 1 is not read yet ( check 1 …).',
      { never_tested: { total: 2 }, past_not_read: { total: 1 } },
    ],
    [
      'no check was ever tested',
      [
        { id: 1, isUntested: true },
        { id: 2, isUntested: true },
      ],
      'Not known: all 2 checks were never tested ( check 1 …).',
      { never_tested: { total: 2 }, past_not_read: { total: 0 } },
    ],
    [
      'the past of its checks is not read',
      [{ id: 1 }, { id: 2 }],
      'Not known: the past of all 2 checks is not read yet ( check 1 …).',
      { never_tested: { total: 0 }, past_not_read: { total: 2 } },
    ],
  ])('says why its ratio is not known when %s', async (_why, members, words, json) => {
    const account = accountOf({ shop: members });

    const shown = await wordsOf(account);
    expect(shown).toContain(words);
    expect(shown).not.toContain('all are well');
    const [group] = await groupsOf(account);
    expect(group.not_known).toMatchObject(json);
    expect(group).not.toHaveProperty('error_budget_remaining_ratio');
  });

  test('says of checks that could not be tested, or were paused, that they were not tested', async () => {
    const idle = accountOf({ shop: [{ id: 1, status: 'unknown', isIdle: true }] });

    expect(await wordsOf(idle)).toContain('Not known: none of its checks was tested in 30 days.');
  });

  test('is not shown while the list of checks is stale', async () => {
    const { datasets } = accountsByState.stale.snapshot;
    const stale = accountWith(shop, { datasets });

    expect(await groupsOf(stale)).toBeUndefined();
  });
});

test('an account without groups shows how to define some', async () => {
  const account = healthyAccount({ checks: [checkWith({ id: 1, lastTestAtSeconds: noon })] });

  expect(await wordsOf(account)).toContain(
    'No check is in a group. The key groups of the configuration makes groups',
  );
  expect(await groupsOf(account)).toBeUndefined();
});

describe('groups that are left out, named oddly, or not there', () => {
  const known = accountOf({
    checkout: [{ id: 1 }],
    '..': [{ id: 2 }],
    '.': [{ id: 3 }],
    ' ': [{ id: 4 }],
    'a/b?c#d%20': [{ id: 5 }],
    '\u00a0\u200b': [{ id: 6 }],
  });
  const names = Array.from({ length: 30 }, (_, place) => `team:${place}`);
  const account = accountWith(known, { groupsLeftOut: names });
  const app = testApp({ accounts: [account] });
  const textOf = async (path: string) => {
    const { status, text } = await request(app).get(path).set('Accept', 'text/html');
    return { status, text };
  };

  test.each(['/', '/groups'])(
    '%s says how many are left out, why, and the first names',
    async (path) => {
      const { text } = await textOf(path);
      const words = text.replaceAll(/<[^>]*>/g, '');
      expect(words).toContain(
        '30 more groups are left out, because of max_groups: team:0, team:1, team:2',
      );
      expect(words).toContain('team:9, and 20 more');
    },
  );

  test('/groups has those of the account that is asked for', async () => {
    const other = accountWith(account, { account: 'other' });
    const both = testApp({ accounts: [account, other] });
    const linksOf = async (query: string) => {
      const { text } = await request(both).get(`/groups${query}`);
      return [...text.matchAll(/<a href="[^"]*account=(\w+)"><bdi>/g)].map(([, name]) => name);
    };
    expect(new Set(await linksOf('?account=other'))).toEqual(new Set(['other']));
    expect(await linksOf('?account=')).toEqual(await linksOf(''));
    expect((await request(both).get('/groups?account=none')).status).toBe(400);
  });

  test('/status.json has their number', async () => {
    const { body } = await request(app).get('/status.json');
    expect(body.accounts[0].groups_left_out).toBe(30);
  });

  test('every group has a link with text, which leads to it as a browser resolves it', async () => {
    const { text } = await textOf('/groups');
    const links = [...text.matchAll(/<a href="([^"]*group[^"]*account=[^"]*)"><bdi>([^<]*)</g)];
    expect(links.length).toBe(6);
    for (const [, href = '', name = ''] of links) {
      expect(name.trim()).not.toBe('');
      const url = new URL(href.replaceAll('&amp;', '&'), 'http://exporter/groups');
      const page = await textOf(url.pathname + url.search);
      expect(page.status, href).toBe(200);
      expect(page.text).toContain(`<h1 id="group"><bdi>${name}</bdi>`);
    }
  });

  test.each([
    ['/groups/chekout', 404, 'There is no such group now; did you mean "checkout"?'],
    ['/groups/team:7', 404, 'is left out: there are more groups than max_groups'],
    ['/outages?group=chekout', 400, 'unknown group "chekout": expected one of checkout, .., ., '],
    ['/outages.csv?group=chekout', 400, 'unknown group "chekout"'],
    ['/outages.json?group=team:7', 400, 'the group "team:7" is left out'],
  ])('%s gets %i and the reason', async (path, code, reason) => {
    const many = Array.from({ length: 30 }, (_, place) => [`g${place}`, [{ id: 100 + place }]]);
    const large = accountOf({ checkout: [{ id: 1 }], ...Object.fromEntries(many) });
    const asked = path === '/groups/chekout' ? testApp({ accounts: [large] }) : app;
    const { status, text } = await request(asked).get(path).set('Accept', 'text/plain');
    expect(status).toBe(code);
    expect(text).toContain(reason);
  });

  describe('beside an account whose list is too old', () => {
    const stale = {
      snapshot: { ...accountsByState.stale.snapshot, groups: known.snapshot.groups ?? [] },
    };
    const both = testApp({ accounts: [known, { ...accountsByState.stale, ...stale }] });
    const read = async (path: string) => {
      const { status, text } = await request(both).get(path);
      return { status, text: text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ') };
    };

    test.each(['/', '/groups', '/groups/checkout'])('%s says which are not known', async (path) => {
      const { text } = await read(path);
      expect(text).toContain('Not known without a fresh check list: the groups of cut off .');
    });

    test.each([
      ['/groups/chekout', '; did you mean "checkout"?'],
      ['/groups/checkout?account=cut+off', '.'],
    ])('%s does not say that there is none, nor names one that is hidden', async (path, end) => {
      const { status, text } = await read(path);
      expect(status).toBe(404);
      expect(text).toContain(
        `There is no such group now, as far as is known: the check list of "cut off" is unread or too old${end} `,
      );
    });
  });

  test.each(['/accounts/new/checks/7', '/checks/7', '/badge/7.svg'])(
    '%s does not say that there is no such check before the list is read',
    async (path) => {
      const starting = testApp({ accounts: [accountsByState.starting] });
      const { status, text } = await request(starting).get(path);
      expect(status).toBe(404);
      expect(text).toContain('as far as is known: the check list of "new" is unread or too old');
    },
  );

  test('no group is unknown before the list is read', async () => {
    const { checks: _, groups: __, ...snapshot } = known.snapshot;
    const starting = testApp({ accounts: [{ ...known, snapshot }] });
    const { status } = await request(starting).get('/outages?group=chekout');
    expect(status).toBe(200);
  });
});
