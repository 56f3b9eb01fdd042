import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { startWatchedSandbox } from '../support/watched-sandbox.ts';
import { minute, ready, requests, switchedOff, untilAsked, watch } from './configured-sandbox.ts';
import { read } from './support.ts';

describe('a dataset', () => {
  test('that is switched off is never asked for', async () => {
    const watched = await watch(`
datasets:
  credits: { enabled: false }
  results: { enabled: false }
  detail: { enabled: false }`);
    await ready(watched);
    await watched.pass(60 * minute);

    for (const operation of ['get_credits', 'list_results', 'get_check']) {
      expect(requests(watched, operation)).toEqual([]);
    }
    expect(requests(watched, 'get_average')).not.toEqual([]);
  });

  test('that is off by default can be switched on', async () => {
    const on = await watch(`datasets: { hours_of_day: { enabled: true }, ${switchedOff} }`);
    await untilAsked(on, ({ operation }) => operation === 'get_hours_of_day');
    const byDefault = await watch(`datasets: { ${switchedOff} }`);
    await ready(byDefault);
    await byDefault.pass(60 * minute);

    expect(requests(byDefault, 'get_hours_of_day')).toEqual([]);
  });

  test('is not refreshed more often than its floor', async () => {
    const watched = await watch('datasets: { checks: { floor: 10m } }');
    await ready(watched);
    await watched.pass(60 * minute);

    expect(requests(watched, 'list_checks').length).toBeGreaterThanOrEqual(6);
    expect(requests(watched, 'list_checks').length).toBeLessThanOrEqual(8);
  });
});

describe('the reserve', () => {
  test.each([
    ['70', 70],
    ['50%', 50],
    ['5', 5],
  ])('of %s is left of a window of 100 requests, and not much more', async (short, left) => {
    const watched = await watch(`budget: { reserve: { short: ${short} } }`, { shortLimit: 100 });
    await ready(watched);
    await watched.pass(57 * minute);

    const { remaining } = watched.sandbox.limits.reading('short');
    expect(remaining).toBeGreaterThanOrEqual(left);
    expect(remaining).toBeLessThan(left + 15);
    expect(watched.sandbox.journal.countOfStatus(429)).toBe(0);
  });
});

test('data are withdrawn after their own time, and counters stay', async () => {
  const watched = await watch('datasets: { credits: { max_staleness: 1h } }');
  await ready(watched);
  await watched.settled((page) => /^uptime_account_check_limit\{/m.test(page));
  watched.sandbox.faults.inject({ kind: 'status-500', path: '/api/3.1/credits' });
  watched.sandbox.faults.inject({ kind: 'status-500', path: '/api/3.1/checks' });

  await watched.pass(50 * minute);
  const before = await watched.page();
  await watched.pass(30 * minute);
  const after = await watched.page();

  // Three planned intervals of the credits would be 45 minutes, and of the list five.
  expect(before).toMatch(/^uptime_account_check_limit\{/m);
  expect(before).not.toMatch(/^uptime_check_up\{/m);
  expect(after).not.toMatch(/^uptime_account_check_limit\{/m);
  expect(after).toMatch(/^uptime_check_state_seconds_total\{/m);
});

test('the fallback rate holds while the service does not tell its limits', async () => {
  const watched = await watch('budget: { fallback_requests_per_hour: 30 }', {
    quirks: ['no-limit-headers'],
  });
  await ready(watched);
  await watched.pass(120 * minute);

  expect(watched.sandbox.journal.total).toBeGreaterThan(50);
  expect(watched.sandbox.journal.total).toBeLessThanOrEqual(62);
});

describe('a filter', () => {
  test('leaves checks out of the page and of every request for a check', async () => {
    const all = await ready(await watch(''));
    const names = [...all.matchAll(/^uptime_check_info\{.*?check_id="(\d+)",name="([^"]*)"/gm)];
    const [[, firstId = '', firstName = ''] = [], [, secondId = ''] = []] = names;
    const watched = await watch(`
filters:
  include: { ids: [${secondId}], names: ["${firstName.slice(0, -1)}*"] }
  exclude: { ids: [${secondId}] }`);
    const page = await ready(watched);
    await watched.pass(60 * minute);

    const shown = [...page.matchAll(/^uptime_check_info\{.*?check_id="(\d+)"/gm)];
    expect(shown.map(([, id]) => id)).toContain(firstId);
    expect(shown.map(([, id]) => id)).not.toContain(secondId);
    expect(shown.length).toBeLessThan(names.length);
    const asked = watched.sandbox.journal.recent
      .map(({ path }) => /\/(?:results|summary\.\w+|checks|analysis)\/(\d+)/.exec(path)?.[1])
      .filter((id) => id !== undefined);
    expect(asked).toContain(firstId);
    expect(new Set(asked)).toEqual(new Set(shown.map(([, id]) => id)));
  });

  test('selects by tags', async () => {
    const all = await ready(await watch(''));
    const tagged = (page: string) =>
      new Set(
        [...page.matchAll(/^uptime_check_tag_info\{.*?tag="([^"]*)"/gm)].map(([, tag]) => tag),
      );
    const [tag = ''] = tagged(all);
    const namesOf = (page: string) =>
      [...page.matchAll(/^uptime_check_info\{.*?name="([^"]*)"/gm)].map(([, name]) => name);
    const shownWith = async (filters: string) =>
      namesOf(await ready(await watch(`filters: { ${filters} }`)));

    const included = await shownWith(`include: { tags: ["${tag}"] }`);
    const excluded = await shownWith(`exclude: { tags: ["${tag}"] }`);

    expect(included).not.toEqual([]);
    expect(excluded).not.toEqual([]);
    expect([...included, ...excluded].sort()).toEqual(namesOf(all).sort());
  });

  test('that is new takes stored checks off the page before the first list', async () => {
    const store = new MemoryStore();
    const before = await watch('', { store });
    const [, name = ''] = /^uptime_check_info\{.*?name="([^"]*)"/m.exec(await ready(before)) ?? [];
    const stored = async () => (await store.load('shop')).items.check.size;
    while ((await stored()) < 6) await before.pass(minute);

    const after = await startWatchedSandbox({
      store,
      configuration: (url) =>
        read(`
accounts:
  - { name: shop, base_url: "${url}", token: wrong, filters: { include: { names: ["${name}"] } } }`),
    });

    const shown = [...(await after.page()).matchAll(/^uptime_check_info\{.*?name="([^"]*)"/gm)];
    expect(shown.map(([, each]) => each)).toEqual([name]);
  });

  test('that fits no transaction leaves none of their series', async () => {
    const byDefault = await watch('');
    await byDefault.settled((text) => text.includes('uptime_check_info{'));
    await byDefault.settled((text) => text.includes('uptime_transaction_info{'));
    const watched = await watch('filters: { exclude: { names: ["*"] } }');
    await ready(watched);
    await watched.pass(30 * minute);

    expect(await watched.page()).not.toMatch(/^uptime_(check|transaction)_info\{/m);
  });
});
