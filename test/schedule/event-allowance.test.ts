import { describe, expect, test } from 'vitest';
import { creditOf, eventAllowance } from '../../src/schedule/event-allowance.ts';

const hour = 3_600;
const short = { limit: 400, remaining: 400, reserve: 80, resetSeconds: hour };

test('events may take a fifth of the rate, and at once a quarter of what the short window can give', () => {
  expect(eventAllowance(1, { short })).toMatchObject({ requestsPerSecond: 0.2, burst: 80 });
});

test('the burst shrinks with the window, and never reaches into the reserve', () => {
  expect(eventAllowance(1, { short: { ...short, remaining: 200 } }).burst).toBe(30);
  expect(eventAllowance(1, { short: { ...short, remaining: 60 } }).burst).toBe(1);
});

test('one event at a time goes while the short window is not known, and none when there is nothing to spend', () => {
  expect(eventAllowance(0.01, {})).toEqual({
    requestsPerSecond: 0.002,
    burst: 1,
    isGuess: true,
  });
  expect(eventAllowance(0, { short: { ...short, remaining: 80 } })).toEqual({
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
    const { burst, requestsPerSecond } = eventAllowance(rate, { short: left });
    const needed = burst + (requestsPerSecond + rate) * hour;
    expect(left.remaining - left.reserve).toBeGreaterThanOrEqual(needed);
  });

  test('is nothing where the short window is what slows everything down', () => {
    expect(creditOf(20 / hour, { ...short, remaining: 100 })).toBe(0);
    expect(creditOf(0, { ...short, remaining: 60 })).toBe(0);
    expect(creditOf(1, undefined)).toBe(0);
  });
});

describe('when the short window was in use before the exporter began', () => {
  const rate = 80 / hour;
  const month = 30 * 24 * hour;
  /** The windows as the first response of a start with an empty store shows them. */
  const seen = (spent: number, resetSeconds = hour) => ({
    short: {
      limit: 400 - spent,
      remaining: 400 - spent,
      resetSeconds,
      reserve: Math.ceil((400 - spent) / 5),
    },
    long: {
      limit: 72_000 - spent,
      remaining: 72_000 - spent,
      reserve: 14_400,
      resetSeconds: month,
    },
  });

  test('another client that has spent some requests may spend as many again', () => {
    expect(eventAllowance(rate, seen(30, hour / 2)).credit).toBe(203);
  });

  test('three starts with an empty store leave the status datasets within their ceilings', () => {
    const sentAtEachStart = 20;
    let spent = 0;
    for (let start = 0; start < 3; start++) {
      const { burst, credit = 0 } = eventAllowance(rate, seen(spent));
      spent += credit + Math.min(burst, sentAtEachStart) + sentAtEachStart;
    }

    // The reserve is 80. The list every 5 minutes, maintenance every 15 and transactions every 30 with
    // two requests each take 24 an hour, and get three quarters of the rate.
    expect(400 - spent - 80).toBeGreaterThanOrEqual(24 / 0.75);
  });

  test('the credit is given in the next window, if none is left in this one', () => {
    expect(eventAllowance(rate, seen(230))).toEqual({
      requestsPerSecond: rate * 0.2,
      burst: 1,
      isGuess: true,
    });
  });
});
