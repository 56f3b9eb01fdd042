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

test('100,000 tags cost little more than 100', () => {
  const tags = Array.from({ length: 100_000 }, (_, place) => ({ name: `tag ${place}`, type: 'u' }));
  const since = performance.now();
  const same = decodeCheck({ id: 2, tags: tags.map(() => ({ name: 'one', type: 'u' })) });

  expect(decodeCheck({ id: 1, tags })?.tags).toHaveLength(100);
  expect(same?.tags).toEqual([{ name: 'one', source: 'user' }]);
  expect(performance.now() - since).toBeLessThan(2_000);
});

test('times that cannot be are not known', () => {
  const times = { created: distantFuture, lasttesttime: distantFuture, resolution: distantFuture };

  expect(decodeCheck({ id: 1, ...times })).toEqual(decodeCheck({ id: 1 }));
});
