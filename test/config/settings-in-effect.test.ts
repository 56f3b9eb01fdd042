import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/sandbox/request-journal.ts';
import {
  sampleValue,
  sandboxToken,
  startWatchedSandbox,
  type WatchedSandbox,
  type WatchedSandboxOptions,
} from '../support/watched-sandbox.ts';
import { read } from './support.ts';

const minute = 60_000;

/** The exporter with one account that is configured by a file with these lines. */
function watch(
  lines: string,
  options: WatchedSandboxOptions & { readonly global?: string } = {},
): Promise<WatchedSandbox> {
  const { global = '', ...others } = options;
  return startWatchedSandbox({
    checks: 6,
    ...others,
    configuration: (url) => {
      const account = ['name: shop', `base_url: ${url}`, `token: ${sandboxToken}`, ...split(lines)];
      return read(`${global}\naccounts:\n  -\n${account.map((line) => `    ${line}\n`).join('')}`);
    },
  });
}

function split(lines: string): string[] {
  return lines.trim().split('\n');
}

function ready(watched: WatchedSandbox): Promise<string> {
  return watched.settled((text) => sampleValue(text, 'uptime_up{account="shop"}') === 1);
}

function requests(watched: WatchedSandbox, operation: string): JournalEntry[] {
  return watched.sandbox.journal.recent.filter((entry) => entry.operation === operation);
}

describe('a dataset', () => {
  test('that is switched off is never asked for', async () => {
    const watched = await watch(`
datasets:
  credits: { enabled: false }
  results: { enabled: false }
  detail: { enabled: false }`);
    await ready(watched);
    await watched.pass(60 * minute);

    for (const operation of ['credits', 'results', 'check']) {
      expect(requests(watched, operation)).toEqual([]);
    }
    expect(requests(watched, 'summary.average')).not.toEqual([]);
  });

  test('that is off by default can be switched on', async () => {
    const on = await watch('datasets: { hours_of_day: { enabled: true } }');
    await ready(on);
    await on.pass(10 * minute);
    const byDefault = await watch('');
    await ready(byDefault);
    await byDefault.pass(10 * minute);

    expect(requests(on, 'summary.hoursofday')).toHaveLength(6);
    expect(requests(byDefault, 'summary.hoursofday')).toEqual([]);
  });

  test('is not refreshed more often than its floor', async () => {
    const watched = await watch('datasets: { checks: { floor: 10m } }');
    await ready(watched);
    await watched.pass(60 * minute);

    expect(requests(watched, 'checks').length).toBeGreaterThanOrEqual(6);
    expect(requests(watched, 'checks').length).toBeLessThanOrEqual(8);
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
    await watched.pass(59 * minute);

    const { remaining } = watched.sandbox.limits.reading('short');
    expect(remaining).toBeGreaterThanOrEqual(left);
    expect(remaining).toBeLessThan(left + 15);
    expect(watched.sandbox.journal.countOfStatus(429)).toBe(0);
  });
});

test('the fallback rate holds while the service does not tell its limits', async () => {
  const watched = await watch('budget: { fallback_requests_per_hour: 30 }', {
    oddities: ['no-limit-headers'],
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

  test('that fits no transaction leaves none of their series', async () => {
    const byDefault = await watch('');
    const page = await byDefault.settled((text) => text.includes('uptime_transaction_info{'));
    const watched = await watch('filters: { exclude: { names: ["*"] } }');
    await ready(watched);
    await watched.pass(30 * minute);

    expect(page).toContain('uptime_check_info{');
    expect(await watched.page()).not.toMatch(/^uptime_(check|transaction)_info\{/m);
  });
});

test('averages are asked for by country only if that is wanted', async () => {
  const watched = await watch('by_country: true');
  await watched.settled((text) =>
    text.includes('uptime_check_country_average_response_time_seconds{'),
  );
  const byDefault = await watch('');
  await ready(byDefault);
  await byDefault.pass(60 * minute);

  const byCountry = ({ query }: JournalEntry) => query.bycountry === 'true';
  expect(requests(watched, 'summary.average').filter(byCountry)).not.toEqual([]);
  expect(requests(byDefault, 'summary.average').filter(byCountry)).toEqual([]);
});

test('the histogram has the buckets that are configured', async () => {
  const watched = await watch('response_time_buckets: [0.2, 3]');
  await ready(watched);
  await watched.pass(20 * minute);

  const page = await watched.page();
  const bounds = [...page.matchAll(/^uptime_check_response_time_seconds_bucket\{.*le="([^"]+)"/gm)];
  expect(new Set(bounds.map(([, bound]) => bound))).toEqual(new Set(['0.2', '3', '+Inf']));
});

test('the unit of the response times of transactions is the one that is configured', async () => {
  const sample = /^uptime_transaction_hourly_average_response_time_seconds\{.*?\} (\S+)$/m;
  const valueWith = async (lines: string) => {
    const watched = await watch(lines);
    const page = await watched.settled((text) => sample.test(text));
    return Number(sample.exec(page)?.[1]);
  };

  const inMilliseconds = await valueWith('transaction_response_unit: milliseconds');
  const inMicroseconds = await valueWith('transaction_response_unit: microseconds');

  expect(inMilliseconds).toBeGreaterThan(0);
  expect(inMicroseconds).toBeCloseTo(inMilliseconds / 1000, 9);
});

describe('a reply of the service', () => {
  const failed = (reason: string) =>
    `uptime_exporter_dataset_errors_total{account="shop",dataset="checks",reason="${reason}"}`;

  test('is waited for as long as is configured', async () => {
    const watched = await watch('timeouts: { headers: 3s }');
    await ready(watched);
    watched.sandbox.faults.inject({ kind: 'hang', operation: 'checks' });
    await watched.clock.advance(61_000);
    expect(sampleValue(await watched.page(), failed('timeout'))).toBe(0);

    await watched.clock.advance(3_000);

    await watched.page((text) => sampleValue(text, failed('timeout')) === 1);
  });

  test('may be as long as is configured', async () => {
    const large = { checks: 4_000 };
    const watched = await watch('max_body_size: 1MiB', large);
    await watched.page((text) => sampleValue(text, failed('too_large')) === 1);

    const byDefault = await watch('', large);
    const page = await byDefault.page((text) => text.includes('uptime_check_info{'));
    expect(sampleValue(page, failed('too_large'))).toBe(0);
  });
});

test.each([1, 3])('%d requests are under way at the same time', async (concurrency) => {
  const watched = await watch(`concurrency: ${concurrency}`);
  watched.sandbox.faults.inject({ kind: 'hang', path: '/api/3.1/results' });
  watched.sandbox.faults.inject({ kind: 'hang', path: '/api/3.1/summary.' });
  await watched.page((text) => text.includes('uptime_check_info{'));
  const inFlight = 'uptime_exporter_api_requests_in_flight{account="shop"}';

  await watched.page((text) => sampleValue(text, inFlight) === concurrency);
  await watched.clock.advance(5_000);

  expect(sampleValue(await watched.page(), inFlight)).toBe(concurrency);
});

test('promoted labels are on every series of a check, and values beyond the cap are counted', async () => {
  const watched = await watch('', {
    global: 'labels: { promote: [{ from: hostname, as: host }], max_values: 2 }',
  });
  const page = await ready(watched);

  const hosts = [...page.matchAll(/^uptime_check_up\{.*host="([^"]*)"/gm)].map(([, host]) => host);
  expect(hosts.length).toBeGreaterThan(2);
  expect(new Set(hosts.filter((host) => host !== '')).size).toBe(2);
  const dropped = 'uptime_exporter_label_values_dropped_total{account="shop",label="host"}';
  expect(sampleValue(await watched.page(), dropped)).toBeGreaterThan(0);
});

test('several accounts are on one page, each with its own settings', async () => {
  const watched = await startWatchedSandbox({
    checks: 3,
    configuration: (url) =>
      read(`
accounts:
  - { name: shop, base_url: "${url}", token: ${sandboxToken} }
  - name: old
    base_url: ${url}
    version: 2.1
    email: demo@example.com
    password: demo
    app_key: demo-app-key`),
  });

  const page = await watched.settled(
    (text) =>
      sampleValue(text, 'uptime_up{account="shop"}') === 1 &&
      sampleValue(text, 'uptime_up{account="old"}') === 1,
  );

  expect(page).toMatch(/^uptime_account_info\{account="shop",api_version="3\.1"/m);
  expect(page).toMatch(/^uptime_account_info\{account="old",api_version="2\.1"/m);
});
