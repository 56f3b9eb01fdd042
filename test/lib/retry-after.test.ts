import { expect, test } from 'vitest';
import { retryAfterSeconds } from '../../src/lib/retry-after.ts';

const now = Date.UTC(2026, 0, 31, 23, 50);
const tenMinutesLater = 'Sun, 01 Feb 2026 00:00:00 GMT';

test.each([
  ['600', 600],
  [' 30 ', 30],
  ['1.5', 1.5],
  ['0', undefined],
  ['86400', 3600],
  ['99999999999999999999', 3600],
  [tenMinutesLater, 600],
  ['Sunday, 01-Feb-26 00:00:00 GMT', 600],
  ['Sun Feb  1 00:00:00 2026', 600],
  ['Sat, 31 Jan 2026 23:49:59 GMT', undefined],
  ['Fri, 31 Dec 2027 00:00:00 GMT', 3600],
  ['-5', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['soon', undefined],
  ['Sunday', undefined],
  ['2026', 2026],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
  [['600', '900'], undefined],
])('%j asks to wait %s s', (value, seconds) => {
  expect(retryAfterSeconds(value, undefined, now)).toBe(seconds);
});

test('a date is compared with the Date of the response, not with the clock of this machine', () => {
  const date = 'Sat, 31 Jan 2026 23:58:00 GMT';

  expect(retryAfterSeconds(tenMinutesLater, date, now - 86_400_000)).toBe(120);
  expect(retryAfterSeconds('120', date, now - 86_400_000)).toBe(120);
  expect(retryAfterSeconds(tenMinutesLater, 'yesterday', now)).toBe(600);
});
