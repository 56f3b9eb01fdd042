import { expect, test } from 'vitest';
import { WindowLimit } from '../../src/budget/window-limit.ts';

const reserve = 40;

/** A limit that two reports have shown. */
function confirmedLimit(requests: number): WindowLimit {
  const limit = new WindowLimit('short', () => {});
  for (const isSecond of [false, true]) {
    limit.agrees(requests);
    limit.learn({ remaining: requests, opens: isSecond, isSecond, reserve });
  }
  return limit;
}

test('one report restores the limit that a smaller one replaced, and none above it', () => {
  const limit = confirmedLimit(400);
  expect(limit.learn({ remaining: 100, opens: true, isSecond: true, reserve })).toBe(true);
  expect([limit.requests, limit.former]).toEqual([100, 400]);
  expect(limit.agrees(401)).toBe(false);
  expect(limit.agrees(400)).toBe(true);
  expect([limit.requests, limit.former]).toEqual([400, undefined]);
});

test('a first report that nobody could have spent since was wrong, and is not restored', () => {
  const limit = new WindowLimit('short', () => {});
  limit.agrees(72_000);
  limit.learn({ remaining: 72_000, opens: false, isSecond: false, reserve });
  const second = { remaining: 400, opens: false, elapsedSeconds: 1, isSecond: true, reserve };
  expect(limit.learn(second)).toBe(true);
  expect([limit.requests, limit.former]).toEqual([400, undefined]);
  expect(limit.agrees(500)).toBe(false);
});
