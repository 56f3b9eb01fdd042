import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../sandbox/src/server/request-journal.ts';
import { sandboxToken } from '../support/sandbox-exporter.ts';
import { sampleValue, startWatchedSandbox } from '../support/watched-sandbox.ts';
import { minute, ready, requests, switchedOff, untilAsked, watch } from './configured-sandbox.ts';
import { read } from './support.ts';

test('averages are asked for by country only if that is wanted', async () => {
  const byCountry = ({ query }: JournalEntry) => query.bycountry === 'true';
  const watched = await watch('by_country: true');
  await untilAsked(watched, byCountry);
  const country = 'uptime_check_country_average_response_time_seconds{';
  await watched.page((text) => text.includes(country));
  const byDefault = await watch('');
  await ready(byDefault);
  await byDefault.pass(60 * minute);

  expect(requests(byDefault, 'get_average').filter(byCountry)).toEqual([]);
});

test('the unit of the response times of transactions is the one that is configured', async () => {
  const begin = 'uptime_transaction_hourly_start_timestamp_seconds{';
  const average = 'uptime_transaction_hourly_average_response_time_seconds{';
  const pageWith = async (unit: string, series: string) => {
    const watched = await watch(`datasets: { ${switchedOff} }\ntransaction_response_unit: ${unit}`);
    return watched.settled((text) => text.includes(series));
  };

  // The service responds in microseconds: read as milliseconds, every run would take half an hour.
  expect(await pageWith('milliseconds', begin)).not.toContain(average);
  // An hour in which every run failed has a start and no average.
  expect(await pageWith('microseconds', average)).toContain(begin);
});

describe('a response of the service', () => {
  const failed = (reason: string) =>
    `uptime_exporter_dataset_errors_total{account="shop",dataset="checks",reason="${reason}"}`;

  test('is waited for as long as is configured', async () => {
    const watched = await watch('timeouts: { headers: 3s }');
    await ready(watched);
    watched.sandbox.faults.inject({ kind: 'hang', operation: 'list_checks' });
    const asked = () => requests(watched, 'list_checks').at(-1);
    while (asked()?.status !== undefined) await watched.clock.advance(500);

    await watched.clock.advance(2_000);
    expect(sampleValue(await watched.page(), failed('timeout'))).toBe(0);

    await watched.clock.advance(1_000);
    await watched.page((text) => sampleValue(text, failed('timeout')) === 1);
  });

  test('may be as long as is configured', async () => {
    const large = { checks: 2_500, batchIntervalMilliseconds: 0 };
    const datasets = `datasets: { ${switchedOff} }`;
    const watched = await watch(
      `${datasets}
max_body_size: 1MiB`,
      large,
    );
    await watched.page((text) => sampleValue(text, failed('too_large')) === 1);

    const byDefault = await watch(datasets, large);
    const page = await byDefault.page((text) => text.includes('uptime_check_info{'));
    expect(sampleValue(page, failed('too_large'))).toBe(0);
  });
});

test.each([1, 3])('at most %d requests are under way at the same time', async (concurrency) => {
  const watched = await watch(`
concurrency: ${concurrency}
timeouts: { headers: 10m, total: 10m }`);
  await ready(watched);
  watched.sandbox.faults.inject({ kind: 'hang' });
  const inFlight = 'uptime_exporter_api_requests_in_flight{account="shop"}';

  const underWay = () =>
    watched.sandbox.journal.recent.filter(({ status }) => status === undefined).length;
  while (underWay() < concurrency) await watched.clock.advance(3_000);

  await watched.clock.advance(60_000);
  expect(underWay()).toBe(concurrency);
  expect(sampleValue(await watched.page(), inFlight)).toBe(concurrency);
});

/** The helpers wait until no request is in flight. */
const inFlightFamily = 'uptime_exporter_api_requests_in_flight';

test.each([
  ['full', ['up', 'paused', 'resolution_seconds', 'last_down_end_timestamp_seconds']],
  [`{ include: [${inFlightFamily}] }`, ['up', 'resolution_seconds']],
  [
    `{ mode: lean, include: [${inFlightFamily}, uptime_check_paused], exclude: [uptime_check_resolution_seconds] }`,
    ['up', 'paused'],
  ],
  [
    '{ mode: full, exclude: [uptime_check_up, uptime_check_paused] }',
    ['resolution_seconds', 'last_down_end_timestamp_seconds'],
  ],
])('metrics: %s serves these families', async (metrics, expected) => {
  const page = await ready(await watch('', { metrics }));

  const families = ['up', 'paused', 'resolution_seconds', 'last_down_end_timestamp_seconds'];
  const isServed = (family: string) => page.includes(`\nuptime_check_${family}{`);
  expect(families.filter(isServed)).toEqual(expected);
});

test('several accounts are on one page, each with its own settings', async () => {
  const watched = await startWatchedSandbox({
    checks: 3,
    configuration: (url) =>
      read(`
metrics: full
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
