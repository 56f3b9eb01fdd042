import { expect, test } from 'vitest';
import { TokenBucket } from '../../src/schedule/token-bucket.ts';

function bucket(perSecond: number, burst: number): TokenBucket {
  const made = new TokenBucket();
  made.configure(perSecond, burst, 0);
  made.resume(Number.POSITIVE_INFINITY, 0, 0);
  return made;
}

test('lets its burst through at once and then its rate', () => {
  const tokens = bucket(0.5, 3);
  expect(tokens.waitFor(3, 0)).toBe(0);

  tokens.take(3);

  expect(tokens.waitFor(1, 0)).toBe(2000);
  expect(tokens.waitFor(1, 1500)).toBe(500);
  expect(tokens.waitFor(3, 1_000_000)).toBe(0);
});

test('lets what exceeds its burst through when it is full, and then pays for it', () => {
  const tokens = bucket(1, 2);
  expect(tokens.waitFor(5, 0)).toBe(0);

  tokens.take(5);

  expect(tokens.waitFor(1, 0)).toBe(4000);
  expect(tokens.waitFor(5, 0)).toBe(5000);
});

test('lets nothing through without a rate once it is empty, and nothing at all without a burst', () => {
  const dry = bucket(0, 1);
  dry.take(1);

  expect(dry.waitFor(1, 1e9)).toBe(Number.POSITIVE_INFINITY);
  expect(bucket(1, 0).waitFor(1, 1e9)).toBe(Number.POSITIVE_INFINITY);
});

test('runs over when it gets smaller, and what is given back does not exceed it', () => {
  const tokens = bucket(1, 10);
  tokens.configure(1, 2, 0);
  tokens.giveBack(5);
  tokens.take(2);

  expect(tokens.waitFor(1, 0)).toBe(1000);
});

test('earned tokens stay when the rate changes', () => {
  const tokens = bucket(1, 10);
  tokens.take(10);

  tokens.configure(0.001, 10, 4000);

  expect(tokens.waitFor(4, 4000)).toBe(0);
  expect(tokens.waitFor(5, 4000)).toBeCloseTo(1_000_000, 3);
});

test('goes on with the level of a previous one, and with what came in meanwhile', () => {
  const former = bucket(0.5, 3);
  former.take(5);
  expect(former.level(1000)).toBe(-1.5);

  const resumed = (now: number) => {
    const tokens = bucket(0.5, 3);
    tokens.resume(-1.5, 1000, now);
    return tokens.level(now);
  };

  expect(resumed(1000)).toBe(-1.5);
  expect(resumed(4000)).toBe(0);
  expect(resumed(1_000_000)).toBe(3);
});
