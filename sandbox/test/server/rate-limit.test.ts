import { expect, test } from 'vitest';
import { RequestLimits } from '../../src/server/rate-limit.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const hourMilliseconds = 3_600_000;
const monthMilliseconds = 30 * 24 * hourMilliseconds;

function limitsOf(shortLimit: number, longLimit: number) {
  const clock = new VirtualClock();
  return { clock, limits: new RequestLimits({ clock, shortLimit, longLimit }) };
}

test('headers have the documented form and count down requests and seconds', async () => {
  const { clock, limits } = limitsOf(400, 72_000);

  for (let request = 0; request < 6; request++) limits.spend();
  await clock.advance(1500);

  expect(limits.headers()).toEqual({
    'Req-Limit-Short': 'Remaining: 394 Time until reset: 3599',
    'Req-Limit-Long': 'Remaining: 71994 Time until reset: 2591999',
  });
});

test('a window opens with the first request after the last one ended', async () => {
  const { clock, limits } = limitsOf(10, 100);

  await clock.advance(5 * hourMilliseconds);
  limits.spend();
  expect(limits.reading('short')).toEqual({ remaining: 9, resetSeconds: 3600 });

  await clock.advance(hourMilliseconds - 1);
  limits.spend();
  expect(limits.reading('short')).toEqual({ remaining: 8, resetSeconds: 1 });

  await clock.advance(1 + hourMilliseconds / 2);
  limits.spend();
  expect(limits.reading('short')).toEqual({ remaining: 9, resetSeconds: 3600 });
  expect(limits.reading('long').remaining).toBe(97);
});

test('requests beyond the short window are refused until it ends, and count in the long one', async () => {
  const { clock, limits } = limitsOf(2, 100);

  expect([limits.spend(), limits.spend(), limits.spend(), limits.spend()]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(limits.reading('short').remaining).toBe(0);
  expect(limits.reading('long').remaining).toBe(96);
  await clock.advance(hourMilliseconds);
  expect(limits.spend()).toBe(true);
});

test('an exhausted long window refuses although the short one has requests left', async () => {
  const { clock, limits } = limitsOf(2, 3);
  limits.spend();
  limits.spend();
  await clock.advance(hourMilliseconds);
  limits.spend();

  expect(limits.spend()).toBe(false);
  await clock.advance(monthMilliseconds - hourMilliseconds);
  expect(limits.spend()).toBe(true);
});

test('what another client spends is gone from both windows', () => {
  const { limits } = limitsOf(400, 72_000);

  limits.otherClientSpends(150);

  expect(limits.reading('short')).toEqual({ remaining: 250, resetSeconds: 3600 });
  expect(limits.reading('long')).toEqual({ remaining: 71_850, resetSeconds: 2_592_000 });
  expect(() => limits.otherClientSpends(-1)).toThrow(RangeError);
});

test('a step of the wall clock changes nothing', () => {
  const { clock, limits } = limitsOf(400, 72_000);
  limits.spend();

  clock.stepWall(10 * hourMilliseconds);

  expect(limits.reading('short')).toEqual({ remaining: 399, resetSeconds: 3600 });
});
