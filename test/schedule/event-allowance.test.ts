import { describe, expect, test } from 'vitest';
import { creditOf, eventAllowance } from '../../src/schedule/event-allowance.ts';

const hour = 3_600;
const short = { limit: 400, remaining: 400, reserve: 80, resetSeconds: hour };

test('events may take a fifth of the rate, and at once a quarter of what the short window can give', () => {
  expect(eventAllowance(1, short)).toMatchObject({ requestsPerSecond: 0.2, burst: 80 });
});

test('the burst shrinks with the window, and never reaches into the reserve', () => {
  expect(eventAllowance(1, { ...short, remaining: 200 }).burst).toBe(30);
  expect(eventAllowance(1, { ...short, remaining: 60 }).burst).toBe(1);
});

test('one event at a time goes while the short window is not known, and none when there is nothing to spend', () => {
  expect(eventAllowance(0.01, undefined)).toEqual({
    requestsPerSecond: 0.002,
    burst: 1,
    isGuess: true,
  });
  expect(eventAllowance(0, { ...short, remaining: 80 })).toEqual({
    requestsPerSecond: 0,
    burst: 0,
    credit: 0,
    kept: 0,
  });
});

describe('the credit of first sight', () => {
  test('is 192 of 400 requests an hour, of which the long window sustains 80', () => {
    expect(creditOf(80 / hour, short)).toBe(192);
  });

  test('leaves what the plan and events may use until the reset', () => {
    const rate = 80 / hour;
    const left = { ...short, remaining: short.remaining - creditOf(rate, short) };
    const { burst, requestsPerSecond } = eventAllowance(rate, left);
    const needed = burst + (requestsPerSecond + rate) * hour;
    expect(left.remaining - left.reserve).toBeGreaterThanOrEqual(needed);
  });

  test('is nothing where the short window is what slows everything down', () => {
    expect(creditOf(20 / hour, { ...short, remaining: 100 })).toBe(0);
    expect(creditOf(0, { ...short, remaining: 60 })).toBe(0);
    expect(creditOf(1, undefined)).toBe(0);
  });
});
