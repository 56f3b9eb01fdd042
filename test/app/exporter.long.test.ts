import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import type { ApiErrorReason } from '../../src/api/errors.ts';
import { sandboxToken } from '../support/sandbox-exporter.ts';
import {
  sampleValue,
  startWatchedSandbox,
  type WatchedSandbox,
} from '../support/watched-sandbox.ts';

/** For tests in which the number does not matter. */
const checks = 6;
const up = 'uptime_up{account="shop"}';

function errors(reason: ApiErrorReason): string {
  return `uptime_exporter_dataset_errors_total{account="shop",dataset="checks",reason="${reason}"}`;
}

/** Waits until both datasets were read. */
function ready({ settled }: WatchedSandbox): Promise<string> {
  return settled(
    (text) => sampleValue(text, up) === 1 && text.includes('uptime_account_check_limit'),
  );
}

test('changes within the interval of shows are shown together, when it is over', async () => {
  const interval = 600_000;
  const watched = await startWatchedSandbox({ checks, batchIntervalMilliseconds: interval });
  const lastTests = (text: string) => text.match(/^uptime_check_last_test_.*$/gm)?.join() ?? '';
  const first = lastTests(await watched.settled((text) => lastTests(text) !== ''));
  await watched.pass(interval);
  const second = lastTests(await watched.page((text) => lastTests(text) !== first));
  const listsBefore = watched.sandbox.journal.countOfOperation('list_checks');

  await watched.pass(interval - 60_000);
  expect(lastTests(await watched.page())).toBe(second);
  expect(watched.sandbox.journal.countOfOperation('list_checks')).toBeGreaterThan(listsBefore + 5);

  await watched.pass(60_000);
  await watched.page((text) => lastTests(text) !== second);
});

test('100 scrapes cause no API request', async () => {
  const watched = await startWatchedSandbox({ checks });
  await ready(watched);
  const before = watched.sandbox.journal.total;

  for (let batch = 0; batch < 5; batch++) {
    await Promise.all(Array.from({ length: 20 }, () => watched.page()));
  }

  expect(before).toBeGreaterThan(2);
  expect(watched.sandbox.journal.total).toBe(before);
});

describe('when a refresh of the list fails', () => {
  const faults: [FaultName, ApiErrorReason][] = [
    ['limit-exceeded', 'rate_limited'],
    ['gzip-bomb', 'too_large'],
    ['echo-credentials', 'server_error'],
  ];

  test.each(faults)(
    'with %s, uptime_up and the reason %s tell and the data stay',
    async (kind, reason) => {
      const watched = await startWatchedSandbox({ checks });
      const before = await ready(watched);
      watched.sandbox.faults.inject({ kind, operation: 'list_checks', times: 1 });

      await watched.clock.advance(60_000);
      const page = await watched.page((text) => sampleValue(text, up) === 0);

      expect(sampleValue(page, errors(reason))).toBe(1);
      expect(statusLines(page)).toEqual(statusLines(before));
      expect(page + watched.log()).not.toContain(sandboxToken);
      expect(watched.log()).not.toContain(btoa(`${sandboxToken}:`));
      expect(watched.log()).toMatch(new RegExp(`level=warn .*reason=${reason}`));
    },
  );
});

test('one malformed entry is counted and the others are shown', async () => {
  const watched = await startWatchedSandbox();
  const before = await ready(watched);
  watched.sandbox.faults.inject({ kind: 'malformed-entries', operation: 'list_checks', times: 1 });
  const rejected =
    'uptime_exporter_rejected_entries_total{account="shop",dataset="checks",reason="shape"}';

  await watched.clock.advance(60_000);
  const page = await watched.page((text) => (sampleValue(text, rejected) ?? 0) > 0);

  expect(sampleValue(page, rejected)).toBe(5);
  const incomplete = 'checks: entries cannot be read.';
  const isReported = async () =>
    (await (await request(watched.url)).body.text()).includes(incomplete);
  expect(await isReported()).toBe(true);
  await watched.pass(60_000);
  expect(await isReported()).toBe(false);
  expect(sampleValue(page, up)).toBe(1);
  expect(statusLines(page).length).toBe(statusLines(before).length);
});

test('a wrong token is reported, retried rarely and never shown', async () => {
  const token = 'wrong-token-0987654321';
  const watched = await startWatchedSandbox({ checks, token });

  const page = await watched.page((text) => sampleValue(text, errors('unauthorized')) === 1);
  expect(sampleValue(page, up)).toBe(0);
  await watched.pass(3_600_000);

  const { body } = await request(watched.url);
  const everything = page + watched.log() + (await body.text());
  expect(everything).not.toContain(token);
  expect(everything).not.toContain(btoa(`${token}:`));
  expect(watched.sandbox.journal.countOfOperation('list_checks')).toBeLessThanOrEqual(9);
});

describe('the budget', () => {
  test('that is small makes the list come more rarely, and the reserve stays', async () => {
    const watched = await startWatchedSandbox({ shortLimit: 20 });
    await ready(watched);

    await watched.pass(3_500_000);

    expect(watched.sandbox.journal.countOfStatus(429)).toBe(0);
    expect(watched.sandbox.limits.reading('short').remaining).toBeGreaterThanOrEqual(4);
    const page = await watched.page();
    expect(sampleValue(page, up)).toBe(1);
    const interval = 'uptime_exporter_dataset_interval_seconds{account="shop",dataset="checks"}';
    expect(sampleValue(page, interval)).toBeGreaterThan(180);
    expect(watched.log()).toMatch(/level=warn .*request budget is too small.*too_slow=checks/);
  });

  test('pauses after a 429 until the window resets, and then asks once', async () => {
    const watched = await startWatchedSandbox({ checks, shortLimit: 100 });
    await ready(watched);
    const { journal, limits } = watched.sandbox;
    limits.otherClientSpends(100);

    await watched.pass(120_000);
    const refusedAt = journal.total;
    expect(journal.countOfStatus(429)).toBe(1);
    expect(sampleValue(await watched.page(), 'uptime_exporter_budget_paused{account="shop"}')).toBe(
      1,
    );

    const { body } = await request(`${watched.url}/`);
    const home = (await body.text()).replaceAll(/<[^>]+>/g, '');
    const [, next = 'none'] = /check list .* old, next in ([^<\n]+? (?:min|s))\b/.exec(home) ?? [];
    // The window resets an hour after the start.
    expect(next).toMatch(/^5[78] min$/);
    expect(home).toContain(`Short window resets in ${next}`);

    await watched.pass(50 * 60_000);
    expect(journal.total).toBe(refusedAt);

    await watched.pass(15 * 60_000);
    expect(sampleValue(await watched.page(), up)).toBe(1);
    expect(journal.countOfStatus(429)).toBe(1);
  });
});

function statusLines(page: string): string[] {
  return page.split('\n').filter((line) => line.startsWith('uptime_check_status{'));
}
