import type { Response } from 'express';
import { h } from 'preact';
import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { AccountStatus } from '../../../src/http/ports.ts';
import { testApp } from '../../support/http-app.ts';
import { livelyAccount } from '../../support/lively-account.ts';
import { accountWith, datasetWith, healthySnapshot, noon } from '../../support/snapshots.ts';

const shop = livelyAccount(12, { down: [3, 6] });

/** The account with another name for check 3. */
function renamed(name: string): AccountStatus {
  const { checks = [], ...snapshot } = shop.snapshot;
  const rows = checks.map((row) => (row.id === 3 ? { ...row, name } : row));
  return { ...shop, snapshot: { ...snapshot, checks: rows } };
}

const app = (...accounts: readonly AccountStatus[]) => request(testApp({ accounts }));

/** The ids in a CSV file, in its order. */
async function idsIn(query: string): Promise<number[]> {
  const { text } = await app(shop).get(`/outages.csv${query}`);
  const lines = text.trimEnd().split('\r\n').slice(1);
  return lines.map((line) => Number(line.split(',')[2]));
}

describe('/outages.csv', () => {
  test('has all known outages, the latest first', async () => {
    const { text, headers } = await app(shop).get('/outages.csv');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="outages.csv"',
    });
    const [head, first, ...others] = text.trimEnd().split('\r\n');
    expect(head).toBe(
      '\ufeffaccount,kind,id,name,tags,begin,began_before,end,ended_after,seconds,maintenance,causes',
    );
    expect(first).toBe(
      'main,check,3,check 3,team:3,2026-01-05T11:20:00Z,false,,false,2340,none,HTTP Error 503',
    );
    expect(others).toHaveLength(5);
    expect(others.at(-1)).toBe(
      'main,transaction,501,journey 501,,2025-12-27T12:00:00Z,false,2025-12-27T12:10:00Z,false,600,none,',
    );
  });

  test.each([
    ['?tag=team:3', [3, 3]],
    ['?group=team:1', [6, 6]],
    ['?check=3', [3, 3]],
    ['?check=Check%206&check=501', [6, 501, 6, 501]],
    ['?group=team:1&tag=team:3', []],
    ['?from=2026-01-01', [3, 6, 501]],
    ['?to=2026-01-01', [3, 6, 501]],
    ['?group=&tag=&check=', [3, 6, 501, 3, 6, 501]],
  ])('with %s has the outages of %j', async (query, ids) => {
    expect(await idsIn(query)).toEqual(ids);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)'])('has the name %s as a text', async (name) => {
    const { text } = await app(renamed(name)).get('/outages.csv');
    expect(text.split('\r\n')[1]).toContain(`,3,'${name},`);
  });

  test.each([
    ['of an outage that only the list shows is that of its known part', noon + 600, 'whole'],
    ['of such an outage that lasts longer is a part', noon - 20, 'part'],
  ])('the maintenance %s', async (_, toSeconds, share) => {
    const { ofCheck = () => undefined } = shop.states ?? {};
    const counted = ofCheck(1);
    if (counted === undefined) throw new Error('check 1 has no states');
    const began = { listedOpen: { fromSeconds: noon - 30 }, listedAtSeconds: noon - 10 };
    const maintenance = [{ fromSeconds: noon - 600, toSeconds }];
    const none = () => undefined;
    const account = {
      ...shop,
      states: {
        ofCheck: (id: number) => (id === 1 ? { ...counted, ...began } : undefined),
        ofTransaction: none,
      },
      past: { ofCheck: () => ({ outages: [], maintenance }), ofTransaction: none },
    };
    const { text } = await app(account).get('/outages.csv');
    expect(text.split('\r\n')[1]).toContain(`2026-01-05T11:59:30Z,false,,false,20,${share},`);
  });

  test.each(['/outages', '/outages.csv'])('%s refuses what it does not know', async (path) => {
    const { status, text } = await app(shop).get(`${path}?account=other`);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('"other"') });
  });
});

describe('/outages', () => {
  test('lists outages with links, and keeps the filter in the form and in the CSV link', async () => {
    const { text } = await app(shop).get('/outages?group=team%3A1&check=6');
    expect(text).toContain('href="./accounts/main/checks/6"');
    expect(text).not.toContain('checks/3"');
    expect(text).toContain('href="./outages.csv?group=team%3A1&amp;check=6"');
    expect(text).toMatch(/<option value="team:1" selected>/);
    expect(text).toContain('2 outages');
  });

  test.each([
    ['from=2026-01-01&to=2026-01-06', 'Only from 2026-01-01 00:00 UTC to 2026-01-06 00:00 UTC;'],
    ['from=2026-01-01T09:30:30Z', 'Only from 2026-01-01 09:30 UTC ;'],
    ['to=9999999999999999&check=3', 'Only to 9999999999999999 ;'],
    ['check=3&check=%3C6&tag=', 'Only check 3, check &lt;6 ;'],
  ])('with %s says what is selected that its form does not show', async (query, words) => {
    const { text, status } = await app(shop).get(`/outages?${query}`);
    expect(status).toBe(200);
    const shown = text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(shown.replaceAll(' ;', ';')).toContain(words.replaceAll(' ;', ';'));
    expect(text).toContain('<a href="./outages">all known outages</a>');
    const { text: rest } = await app(shop).get('/outages?check=3&group=team%3A3');
    expect(rest).not.toContain('all known outages</a>');
  });

  test('tells checks of one name apart by host and id, and says no more of others', async () => {
    const { text } = await app(renamed('check 6')).get('/outages');
    const rows = [...text.matchAll(/<tr><th scope="row">(.*?)<\/th>/g)].map(([, cell = '']) =>
      cell
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    expect(new Set(rows)).toEqual(
      new Set([
        'check 6 host3.example.com · check 3',
        'check 6 host6.example.com · check 6',
        'journey 501',
      ]),
    );
  });

  test('leads to earlier outages, none of which is lost', async () => {
    const many = livelyAccount(250, { down: Array.from({ length: 250 }, (_, place) => place + 1) });
    let path = '/outages';
    const seen = new Set<string>();
    for (let pages = 0; path !== ''; pages++) {
      expect(pages).toBeLessThan(5);
      const { text } = await app(many).get(path);
      const table = text.slice(text.indexOf('aria-label="Outages"'), text.indexOf('</table>'));
      for (const [row] of table.matchAll(/<tr><th scope="row".*?<\/tr>/gs)) seen.add(row);
      path = /href="\.(\/outages\?page=\d+)" rel="next"/.exec(text)?.[1] ?? '';
    }
    expect(seen.size).toBe(2 * 251);
  });

  test('says when none is known, or none matches', async () => {
    const none = { ...shop, snapshot: healthySnapshot({ checks: [] }) };
    expect((await app(none).get('/outages')).text).toContain('No known outages');
    expect((await app(shop).get('/outages?check=nothing')).text).toContain(
      'No known outage matches.',
    );
  });

  test('says that newer ones, and ends, may be missing while a list is too old', async () => {
    const { snapshot } = shop;
    const datasets = { ...snapshot.datasets, checks: datasetWith({ stale: true }) };
    const blind = { ...shop, snapshot: { ...snapshot, datasets } };
    const note = 'A list of the account main is unread or too old: newer outages are not known.';

    expect((await app(blind).get('/outages')).text).toContain(note);
    const ofCheck = (await app(blind).get('/outages?check=3')).text;
    expect(ofCheck).not.toContain('going on');
    expect(ofCheck).toContain('open when last read');
    expect((await app(blind).get('/outages?check=7')).text).toContain(
      `No known outage matches. ${note}`,
    );
    const fresh = (await app(shop).get('/outages?check=3')).text;
    expect(fresh).not.toContain(note);
    expect(fresh).toContain('going on');
    const other = { ...shop, snapshot: { ...snapshot, account: 'other' } };
    const ofOther = (await app(blind, other).get('/outages?account=other')).text;
    expect(ofOther).toContain('6 outages');
    expect(ofOther).not.toContain(note);
  });
});

describe('/groups/NAME', () => {
  test('has state, strip, budget, checks and outages of the group', async () => {
    const { text, status } = await app(shop).get('/groups/team%3A1');
    expect(status).toBe(200);
    const words = text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(words).toContain('team:1 Down 1 of 3 checks');
    expect(words).toContain('Objective 99.9 % over 30 days');
    expect(text).toMatch(/class="strip"[^>]*aria-label="Last 30 days: /);
    const [outages = '', checks = ''] = text
      .slice(text.indexOf('aria-label="Outages"'))
      .split('id="list"');
    expect(outages.match(/checks\/\d+"/g)).toEqual(['checks/6"', 'checks/6"']);
    expect(new Set(checks.match(/checks\/\d+"/g))).toEqual(
      new Set(['checks/1"', 'checks/6"', 'checks/11"']),
    );
    expect(text).toContain('href="../outages?account=main&amp;group=team%3A1"');
  });

  test('adds up the time of its checks in the strip', async () => {
    const { text } = await app(shop).get('/groups/team%3A1');
    // Check 6 was down for 40 minutes until now, of the three checks that were tested for a day.
    const [today] = /data-live="month">.*?data-bars="([^"]*)"/s.exec(text)?.slice(1) ?? [];
    expect(today?.split('|').at(-1)).toBe('1 down 40 min');
    const length = 86_400;
    expect(today).toContain(`${noon - 30 * length}|${length}|`);
  });

  test('says that its ratios lack an outage that is not counted yet', async () => {
    const quiet = livelyAccount(12, { down: [] });
    const { past, snapshot } = quiet;
    if (past === undefined) throw new Error('the account has no past');
    const outages = [{ fromSeconds: noon - 40, causes: [] }];
    const checks = snapshot.checks?.map((row) =>
      row.id === 1 ? { ...row, status: 'down' as const, lastDownStartAtSeconds: noon - 40 } : row,
    );
    const failing = {
      ...quiet,
      snapshot: { ...snapshot, checks: checks ?? [] },
      past: { ...past, ofCheck: (id: number) => ({ outages: id === 1 ? outages : [] }) },
    };
    const { text } = await app(failing).get('/groups/team%3A1');
    expect(text).toContain('lack the last outage of 1 check: it is not counted yet');
    expect(text).toContain('<p class="rest">down 40 s. The time of its checks, added up.</p>');
    expect((await app(quiet).get('/groups/team%3A1')).text).not.toContain('lack the last');
  });

  test('has a part for each account that has the group, and one with account=', async () => {
    const other = accountWith(shop, { account: 'other' });
    const both = await app(shop, other).get('/groups/team%3A1');
    expect(both.text.match(/id="group(-2)?"/g)).toEqual(['id="group"', 'id="group-2"']);
    const one = await app(shop, other).get('/groups/team%3A1?account=other');
    expect(one.text).toContain('accounts/other/checks/6"');
    expect(one.text).not.toContain('accounts/main/checks');
  });

  test('says that its list is of a tag, and leads back to all of its checks', async () => {
    const { text } = await app(shop).get('/groups/team%3A1?account=main&tag=team:3');
    const list = text.slice(text.indexOf('data-live="list"'));
    expect(list.replace(/<[^>]*>/g, '')).toContain('0 found with the tag team:3 show all');
    expect(list).toContain('<a id="no-tag" href="?account=main#list">');
  });

  test('keeps the account in the links of its list', async () => {
    const other = accountWith(shop, { account: 'other' });
    const { text } = await app(shop, other).get('/groups/team%3A1?account=other');
    const links = [...text.matchAll(/href="(\?[^"]*#list)"/g)].map(([, href = '']) => href);
    expect(links).toContain('?account=other&amp;sort=name#list');
    expect(links).toContain('?tag=team%3A1&amp;account=other#list');
    expect(links.filter((href) => !href.includes('account=other'))).toEqual([]);
  });

  test.each(['/groups/team%3A1', '/groups'])('%s begins with the worst account', async (path) => {
    const { snapshot, ...quiet } = livelyAccount(12, { down: [] });
    const well = { ...quiet, snapshot: { ...snapshot, account: 'well' } };
    const { text } = await app(well, shop).get(path);

    expect(/accounts?[=/](main|well)/.exec(text)?.[1]).toBe('main');
    expect(text).toContain(path === '/groups' ? '<title>Groups' : '<title>(down) team:1');
  });

  test('has the parts of optional features', async () => {
    const part = async (name: string, href: (path: string) => string) => ({
      id: 'months',
      title: 'Months',
      body: h('a', { href: href(`report?group=${name}`) }, name),
    });
    const feature = { name: 'x', json: () => undefined, note: () => undefined, groupPart: part };
    const { text } = await app({ ...shop, features: [feature] }).get('/groups/team%3A1');
    expect(text).toContain('<a href="../report?group=team:1">team:1</a>');
  });

  test('is not found if no check is in it', async () => {
    const { status, text } = await app(shop).get('/groups/other');
    expect({ status, text }).toEqual({ status: 404, text: 'There is no such group now.\n' });
  });
});

describe('the header of every view', () => {
  test('leads to pages, those of optional features too', async () => {
    const routes = () => [
      { path: '/report', title: 'Report', get: (_: unknown, response: Response) => response.end() },
      { path: '/report.csv', get: (_: unknown, response: Response) => response.end() },
    ];
    const { text } = await request(testApp({ accounts: [shop], routes })).get('/groups/team%3A1');
    const [header = ''] = /<header>.*<\/header>/s.exec(text) ?? [];
    expect([...header.matchAll(/<li><a href="([^"]*)">/g)].map(([, href]) => href)).toEqual([
      '../',
      '../groups',
      '../outages',
      '../report',
      '../budget',
      '../runbook',
    ]);
  });

  test.each(['/', '/groups', '/outages', '/budget'])(
    'leads to %s, which responds',
    async (path) => {
      const { status } = await app(shop).get(path);
      expect(status).toBe(200);
    },
  );
});
