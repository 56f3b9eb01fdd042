import { expect, test } from 'vitest';
import { sampleValue, startWatchedSandbox } from '../support/watched-sandbox.ts';

const interval = 'uptime_exporter_dataset_interval_seconds{account="shop",dataset="checks"}';
const missing = (dataset: string) =>
  `uptime_exporter_dataset_missing_requests_per_second{account="shop",dataset="${dataset}"}`;

test('if the list alone would need the whole budget, it is read more rarely, which is reported, and there is no 429', async () => {
  const watched = await startWatchedSandbox({ shortLimit: 60, longLimit: 10_800 });
  const { journal, limits } = watched.sandbox;
  let lowest = Number.POSITIVE_INFINITY;

  for (let minutes = 0; minutes < 180; minutes += 5) {
    await watched.pass(300_000);
    lowest = Math.min(lowest, limits.reading('short').remaining);
  }

  expect(journal.countOfStatus(429)).toBe(0);
  expect(lowest).toBeGreaterThanOrEqual(12);
  const page = await watched.page();
  expect(sampleValue(page, 'uptime_up{account="shop"}')).toBe(1);
  // The long window sustains 10,800 · 0.8 / 720 = 12 requests an hour. Three quarters of them, 9,
  // are a list every 400 s, minus the requests of the transactions.
  expect(sampleValue(page, interval)).toBeGreaterThanOrEqual(400);
  const perSecond = (what: string) =>
    sampleValue(page, `uptime_exporter_${what}_requests_per_second{account="shop"}`) ?? 0;
  expect(perSecond('demand')).toBeGreaterThan(2 * perSecond('budget'));
  expect(sampleValue(page, missing('checks'))).toBeGreaterThan(0);
  expect(watched.log()).toMatch(
    /level=warn msg="request budget is too small; outages are seen late" .*too_slow=\S*checks\S* missing_per_hour=\d+ switch_off=\S+/,
  );
});

test('an account without transactions lacks nothing for looking whether it has got some', async () => {
  const watched = await startWatchedSandbox({ transactions: 0 });

  await watched.pass(600_000);

  const page = await watched.page();
  expect(sampleValue(page, missing('transactions'))).toBe(0);
  expect(sampleValue(page, missing('checks'))).toBe(0);
});

test('a window that others have used up is logged when it begins to hold the list back, and when it is over', async () => {
  const watched = await startWatchedSandbox({ shortLimit: 400, longLimit: 72_000 });
  await watched.pass(300_000);
  const lines = () =>
    watched
      .log()
      .split('\n')
      .filter((line) => line.includes('request budget'));
  expect(lines()).toEqual([]);

  const { limits } = watched.sandbox;
  const before = limits.reading('short');
  limits.otherClientSpends(before.remaining - 20);
  await watched.pass(600_000);
  expect(lines()).toEqual([
    expect.stringMatching(
      /level=warn msg="request budget is used up; all requests wait" account=shop short_remaining=\d+ short_reserve=80 /,
    ),
  ]);

  await watched.pass(before.resetSeconds * 1000);
  expect(lines().slice(1)).toEqual([
    expect.stringContaining('level=info msg="request budget allows requests again" account=shop'),
  ]);
  const page = await watched.page();
  expect(sampleValue(page, 'uptime_up{account="shop"}')).toBe(1);
});
