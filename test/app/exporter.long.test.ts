import { request } from 'undici';
import { expect, test } from 'vitest';
import { sandboxToken } from '../support/sandbox-exporter.ts';
import {
  sampleValue,
  startWatchedSandbox,
  type WatchedSandbox,
} from '../support/watched-sandbox.ts';

const up = 'uptime_up{account="shop"}';

/** Waits until both datasets were read. */
function ready({ settled }: WatchedSandbox): Promise<string> {
  return settled(
    (text) => sampleValue(text, up) === 1 && text.includes('uptime_account_check_limit'),
  );
}

test('1,000 scrapes cause no API request', async () => {
  const watched = await startWatchedSandbox();
  await ready(watched);
  const before = watched.sandbox.journal.total;

  for (let batch = 0; batch < 50; batch++) {
    await Promise.all(Array.from({ length: 20 }, () => watched.page()));
  }

  expect(before).toBeGreaterThan(2);
  expect(watched.sandbox.journal.total).toBe(before);
});

test('one failing check among others is logged once, and its removal once', async () => {
  const watched = await startWatchedSandbox({ checks: 3 });
  await ready(watched);
  const [bad = 0] = watched.sandbox.world.checks.map(({ id }) => id);
  watched.sandbox.faults.inject({ kind: 'not-found', path: `/api/3.1/results/${bad}` });
  await watched.pass(3 * 3_600_000);
  expect(watched.log().match(/msg="refresh failed again" .*dataset=results/g)).not.toBeNull();

  await request(`${watched.sandbox.url}/api/3.1/checks/${bad}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${sandboxToken}` },
  });
  await watched.pass(120_000);

  const told = watched.log().match(/msg="refresh (?:failed;|recovered).*dataset=results.*/g);
  expect(told).toEqual([
    expect.stringMatching(new RegExp(`msg="refresh failed; .* id=${bad} reason=not_found`)),
    expect.stringMatching(/msg="refresh recovered" .* reason=not_found/),
  ]);
});
