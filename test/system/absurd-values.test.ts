import { request } from 'undici';
import { expect, test } from 'vitest';
import { decodeCheck } from '../../src/api/resources/checks.ts';
import { startWatchedSandbox } from '../support/watched-sandbox.ts';

const distantFuture = 999_999_999_999_999;

test('endless names and tags and distant times are bounded, and every page responds', async () => {
  const { url, pass, settled } = await startWatchedSandbox({
    checks: 6,
    transactions: 3,
    quirks: ['absurd-values'],
  });
  const page = await settled((text) =>
    ['check', 'transaction'].every((kind) => text.includes(`uptime_${kind}_tag_info{`)),
  );
  await pass(60_000);

  for (const path of [
    '/',
    '/metrics',
    '/metrics?compat=jusbrasil',
    '/sd',
    '/outages.json',
    '/status.json',
    '/-/ready',
  ]) {
    const { statusCode, body } = await request(url + path);
    await body.dump();
    expect([path, statusCode]).toEqual([path, 200]);
  }
  const longest = Math.max(...page.split('\n').map((line) => line.length));
  expect(longest).toBeLessThan(5_000);
  const tagsOfOne = page.match(/^uptime_check_tag_info\{account="shop",check_id="(\d+)"/gm) ?? [];
  expect(tagsOfOne.length).toBeGreaterThan(0);
  expect(tagsOfOne.length).toBeLessThanOrEqual(6 * 100);
});

test('of 100,000 tags each is read once, until 100 are kept', () => {
  let reads = 0;
  const tagsNamed = (nameAt: (place: number) => string) =>
    Array.from({ length: 100_000 }, (_, place) => ({
      type: 'u',
      get name() {
        reads++;
        return nameAt(place);
      },
    }));
  const distinct = tagsNamed((place) => `tag ${place}`);
  const same = tagsNamed(() => 'one');

  expect(decodeCheck({ id: 1, tags: distinct })?.tags).toHaveLength(100);
  expect(decodeCheck({ id: 2, tags: same })?.tags).toEqual([{ name: 'one', source: 'user' }]);
  expect(reads).toBe(100 + same.length);
});

test('times that cannot be are not known', () => {
  const times = { created: distantFuture, lasttesttime: distantFuture, resolution: distantFuture };

  expect(decodeCheck({ id: 1, ...times })).toEqual(decodeCheck({ id: 1 }));
});
