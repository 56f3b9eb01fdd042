import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { AccountStatus } from '../../../src/http/ports.ts';
import type { CheckRow } from '../../../src/state/snapshot.ts';
import { extent } from '../../support/extent.ts';
import { testApp } from '../../support/http-app.ts';
import {
  accountsByState,
  accountWith,
  checkWith,
  healthyAccount,
  healthySnapshot,
  noon,
  statesBy,
} from '../../support/snapshots.ts';

const tagged = (...names: string[]) => names.map((name) => ({ name, source: 'user' as const }));
const objective = { ratio: 0.999, reason: 'default' };

function budget(errors: number, day = errors): Pick<CheckRow, 'budget'> {
  const errorRatios = { '1d': day, '7d': errors, '30d': errors };
  const remainingRatio = 1 - errors / 0.001;
  return { budget: { objective, errorRatios, burnRates: {}, remainingRatio } };
}

const rows: readonly CheckRow[] = [
  {
    ...checkWith({ id: 11, name: 'Shop', tags: tagged('prod', 'team:web') }),
    lastResponseTimeSeconds: 0.4,
    ...budget(0.0001),
  },
  {
    ...checkWith({ id: 12, name: 'blog', tags: tagged('staging'), hostname: 'www.example.org' }),
    lastResponseTimeSeconds: 0.1,
    ...budget(0, 0),
  },
  {
    ...checkWith({ id: 13, name: 'API', status: 'down', tags: tagged('prod') }),
    ...budget(0.002, 0.05),
  },
  checkWith({ id: 14, name: 'cron', status: 'paused' }),
  {
    ...checkWith({ id: 15, name: 'mail', status: 'unconfirmed_down' }),
    ...{ lastResponseTimeSeconds: 2, maintenance: { active: true } },
  },
];

const transactions = [
  ...['failing' as const, 'successful' as const].map((status, place) => ({
    ...{ id: 21 + place, name: `journey ${status}`, status, kind: 'script' as const },
    tags: tagged('prod'),
  })),
  {
    id: 23,
    name: 'old journey',
    status: 'unknown' as const,
    kind: 'script' as const,
    tags: [],
    active: false,
  },
];

const account: AccountStatus = healthyAccount({ checks: rows, transactions });

async function pageOf(query: string, ...accounts: AccountStatus[]): Promise<string> {
  const shown = accounts.length === 0 ? [account] : accounts;
  const reply = await request(testApp({ accounts: shown })).get(`/?${query}`);
  expect(reply.status).toBe(200);
  return reply.text;
}

const listOf = (text: string) => text.slice(text.indexOf('data-live="list"'));
const idsOf = (text: string) =>
  [...listOf(text).matchAll(/<tr><th scope="row"><a href="\.\/accounts\/\w+\/\w+\/(\d+)"/g)].map(
    (match) => Number(match[1]),
  );
const idsFor = async (query: string) => idsOf(await pageOf(query));

describe('the list', () => {
  test.each([
    ['', [13, 21, 15, 12, 22, 11, 14, 23]],
    ['q=shop', [11]],
    ['q=SHOP+web', [11]],
    ['q=example.org', [12]],
    ['q=13', [13]],
    ['q=nothing', []],
    ['state=down', [13, 21]],
    ['state=unconfirmed_down', [15]],
    ['state=problem', [13, 21, 15]],
    ['state=maintenance', [15]],
    ['state=paused', [14, 23]],
    ['tag=prod', [13, 21, 22, 11]],
    ['tag=prod&state=up&q=journey', [22]],
    ['sort=name', [13, 12, 14, 21, 22, 15, 23, 11]],
    ['sort=name&order=desc', [11, 23, 15, 22, 21, 14, 12, 13]],
    ['sort=response', [12, 11, 15, 13, 14, 21, 22, 23]],
    ['sort=response&order=desc', [15, 11, 12, 13, 14, 21, 22, 23]],
    ['sort=availability', [13, 11, 12, 14, 21, 22, 15, 23]],
    ['sort=budget&order=desc', [12, 11, 13, 14, 21, 22, 15, 23]],
    ['state=nonsense&sort=nonsense&page=-1&size=7&order=x', [13, 21, 15, 12, 22, 11, 14, 23]],
  ])('for %s shows %j', async (query, ids) => {
    expect(await idsFor(query)).toEqual(ids);
  });

  test.each(['asc', 'desc'])(
    'sorted by availability ends with checks that show none, %s',
    async (order) => {
      const [day, from] = [86_400, noon - 35 * 86_400];
      const checks = [
        { ...checkWith({ id: 1, name: 'a', status: 'paused' }), ...budget(0) },
        { ...checkWith({ id: 2, name: 'b' }), ...budget(0) },
        { ...checkWith({ id: 3, name: 'c', status: 'paused' }), ...budget(0.0001) },
      ];
      const ofCheck = statesBy({
        1: [
          { state: 'up', fromSeconds: from, toSeconds: noon - 2 * day },
          { state: 'unmonitored', fromSeconds: noon - 2 * day, toSeconds: noon },
        ],
        3: [
          { state: 'up', fromSeconds: from, toSeconds: noon - 60 },
          { state: 'unmonitored', fromSeconds: noon - 60, toSeconds: noon },
        ],
      });
      const text = await pageOf(`sort=availability&order=${order}`, {
        ...account,
        snapshot: healthySnapshot({ checks }),
        states: { ofCheck, ofTransaction: () => undefined },
      });
      expect(idsOf(text)).toEqual(order === 'asc' ? [3, 2, 1] : [2, 3, 1]);
    },
  );

  test('shows the availability of the window that is chosen', async () => {
    expect(await pageOf('q=API')).toContain('95 %');
    expect(await pageOf('q=API&window=30d')).toContain('99.8 %');
    expect(await pageOf('q=API')).toContain('overspent');
  });

  test('marks the range and the page that it shows', async () => {
    const checks = Array.from({ length: 60 }, (_, place) => checkWith({ id: place + 1 }));
    const text = await pageOf('window=7d&page=2', {
      ...account,
      snapshot: healthySnapshot({ checks }),
    });

    const marked = [...text.matchAll(/<a id="([\w-]+)"[^>]* aria-current=/g)];
    expect(marked.map(([, id]) => id)).toEqual(['window-7d', 'page-2']);
  });

  test('names the beginning of its strips by the clock of the service', async () => {
    const text = listOf(await pageOf('', { ...account, clockOffsetSeconds: 7_200 }));

    expect(text).toMatch(/<th scope="col" class="span"><span><time[^>]*>2026-01-04 14:00 UTC/);
    expect(text).toMatch(/bars from <time[^>]*>2026-01-04 14:00 UTC/);
    // The first number is the start of the first bar: 14:00 of the day before.
    expect(/data-bars="(\d+)\|/.exec(text)?.[1]).toBe(`${noon + 7_200 - 86_400}`);
  });

  test('keeps what was asked for in its form and its links', async () => {
    const text = await pageOf('q=%22%3E%3Cb%3E&state=down&sort=budget&window=7d');

    expect(text).toContain('value="&quot;>&lt;b>"');
    expect(text).toMatch(/<option value="down" selected/);
    expect(text).toContain('<input type="hidden" name="sort" value="budget"');
    const links = [...text.matchAll(/href="(\?[^"]*)"/g)].map(([, href]) => href);
    expect(links).toContain('?q=%22%3E%3Cb%3E&amp;state=down&amp;sort=budget&amp;window=30d#list');
  });

  test.each(['account', 'tag'])('names in its form the %s that no longer exists', async (name) => {
    const text = await pageOf(`${name}=gone`);
    expect(text).toContain('0 found');
    expect(text).toContain('<option value="gone" selected>gone</option>');
    const bare = { ...account, snapshot: healthySnapshot({ checks: [checkWith({ id: 1 })] }) };
    expect(await pageOf(`${name}=gone`, bare)).toContain('<option value="gone" selected>');
    expect(await pageOf('', bare)).not.toContain('name="account"');
  });

  test('is distinguished by account where ids are the same', async () => {
    const second = accountWith(account, { account: 'other' });
    const text = await pageOf('q=shop', account, second);

    expect(idsOf(text)).toEqual([11, 11]);
    expect(idsOf(await pageOf('q=shop&account=other', account, second))).toEqual([11]);
    expect(text.match(/<option value="other"/g)).toHaveLength(1);
  });

  test('leaves out what is stale', async () => {
    const { datasets } = accountsByState.stale.snapshot;
    const stale = accountWith(account, { datasets });

    expect(idsOf(await pageOf('', stale))).toEqual([21, 22, 23]);
  });
});

const size = extent(5_000, 25_000);

describe(`an account of ${size} checks`, () => {
  const past = {
    outages: [],
    hourlyAverages: {
      startAtSeconds: noon - 168 * 3_600,
      milliseconds: Buffer.from(
        Uint16Array.from({ length: 168 }, (_, hour) => 300 + ((hour * 37) % 211)).buffer,
      ).toString('base64'),
    },
  };
  const ofCheck = statesBy({
    1: Array.from({ length: 40 }, (_, place) => ({
      state: place % 2 === 0 ? ('up' as const) : ('down' as const),
      fromSeconds: noon - 86_400 + place * 2_000,
      toSeconds: noon - 86_400 + (place + 1) * 2_000,
    })),
  });
  const many: AccountStatus = {
    ...account,
    past: { ofCheck: () => past, ofTransaction: () => undefined },
    states: { ofCheck: () => ofCheck(1), ofTransaction: () => undefined },
    snapshot: healthySnapshot({
      checks: Array.from({ length: size }, (_, place) => ({
        ...checkWith({
          ...{ id: place + 1, name: `Service ${place} with a name of usual length` },
          status: place % 500 === 7 ? 'down' : 'up',
          tags: tagged('prod', `team:${place % 40}`),
          lastDownStartAtSeconds: noon - 1_000 * place - 100,
        }),
        lastResponseTimeSeconds: (place % 977) / 1000,
        ...budget((place % 13) / 10_000),
      })),
    }),
  };

  test('has a page that does not grow with it', async () => {
    const { snapshot } = many;
    const few = {
      ...many,
      snapshot: { ...snapshot, checks: snapshot.checks?.slice(0, 200) ?? [] },
    };
    for (const query of ['size=100&window=7d', 'size=100&sort=response&page=2']) {
      const [text, ofFew] = [await pageOf(query, many), await pageOf(query, few)];
      expect(idsOf(text)).toHaveLength(100);
      expect(idsOf(ofFew)).toHaveLength(100);
      expect(Buffer.byteLength(text)).toBeLessThan(1.05 * Buffer.byteLength(ofFew));
      // Every check fails in nearly every bar of the day.
      expect(Buffer.byteLength(text)).toBeLessThan(250_000);
    }
  });

  test('has as many items as the tile that leads to it says, whatever was chosen before', async () => {
    const other = accountWith(account, { account: 'other' });
    const text = await pageOf('account=other&q=shop&tag=prod&window=7d', account, other);
    const tiles = [...text.matchAll(/class="tile"><a href="\.\/\?([^"#]*)#list">.*?<b>(\d+)</gs)];
    expect(tiles).toHaveLength(4);
    for (const [, query = '', count] of tiles) {
      expect(query).toContain('window=7d');
      const listed = listOf(await pageOf(query.replaceAll('&amp;', '&'), account, other));
      expect(/role="status">\S+ of (\d+)</.exec(listed)?.[1]).toBe(count);
    }
  });

  test.each([
    ['longer than a search', 'x'.repeat(300)],
    ['with spaces around it', ' team '],
  ])('has the items with a tag that is %s, as its link says', async (_, tag) => {
    const check = checkWith({ id: 31, tags: tagged(tag) });
    const odd = { ...account, snapshot: healthySnapshot({ checks: [...rows, check] }) };
    const [, query = ''] =
      /class="tags"><a href="\?(tag=[ x+].*?)#list"/.exec(await pageOf('', odd)) ?? [];
    expect(idsOf(await pageOf(query, odd))).toEqual([31]);
  });

  test('has links to all items with a tag, in the same order, whatever was searched for', async () => {
    const text = await pageOf('q=shop&state=up&sort=name', account);
    const [, query] = /class="tags"><a href="\?(.*?)#list"/.exec(text) ?? [];
    expect(query).toMatch(/^tag=\w+&amp;sort=name$/);
  });

  test('is shown whole, page after page', async () => {
    const seen = new Set<number>();
    for (const page of [2, size / 100]) {
      for (const id of idsOf(await pageOf(`size=100&sort=name&page=${page}`, many))) seen.add(id);
    }
    expect(seen.size).toBe(200);
    const last = await pageOf('size=100&page=9999', many);
    expect(last).toContain(size === 5_000 ? '4,901–5,000 of 5,000' : '24,901–25,000 of 25,000');
    expect(last).toContain(`aria-label="Page ${size / 100 - 1}"`);
  });
});

test('says that a group of the address does not exist, and which there are', async () => {
  const page = async (path: string) =>
    (await request(testApp({ accounts: [accountsByState.ok] })).get(path)).text;

  expect(await page('/?group=nonsense')).toContain('unknown group &quot;nonsense&quot;');
  expect(await page('/?q=nonsense')).toContain('No matches. Change the filter');
});
