import { expect, test } from 'vitest';
import { eventAllowance } from '../../src/schedule/event-allowance.ts';

const short = { limit: 400, remaining: 400, reserve: 80, resetSeconds: 3600 };

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
  });
});
