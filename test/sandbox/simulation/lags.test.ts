import { describe, expect, test } from 'vitest';
import { Lags, requireLags } from '../../../src/sandbox/simulation/lags.ts';

const now = 1_767_225_600;
const moments = Array.from({ length: 500 }, (_, place) => now + 7 * place);

describe('the lag of an answer', () => {
  const lags = new Lags(1, { reports: { min: 60, max: 600 }, lists: { min: 0, max: 20 } });

  test('is drawn from its range, and the same for the same seed and time', () => {
    const drawn = moments.map((at) => at - lags.asOf('list_outages', 12, at));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(600);
    expect(new Set(drawn).size).toBeGreaterThan(100);
    const again = new Lags(1, lags.settings);
    expect(moments.map((at) => at - again.asOf('list_outages', 12, at))).toEqual(drawn);
  });

  test('of a list has a range of its own, and other answers have none', () => {
    const drawn = moments.map((at) => at - lags.asOf('list_checks', 0, at));
    expect(Math.max(...drawn)).toBe(20);
    expect(lags.asOf('get_credits', 0, now)).toBe(now);
  });
});

test('a tenth of the results is late, none by more than was asked for', () => {
  const lags = new Lags(1, { lateResultSeconds: 900 });
  const late = moments.filter((at) => !lags.isListed(12, at, at));
  expect(late.length).toBeGreaterThan(25);
  expect(late.length).toBeLessThan(100);
  expect(moments.every((at) => lags.isListed(12, at, at + 900))).toBe(true);
});

test('a list may show a test with the state before it, but not for longer than was asked for', () => {
  const lags = new Lags(1, { lateStatusSeconds: 40 });
  const late = moments.filter((at) => lags.isStatusLate(12, at, at + 20));
  expect(late.length).toBeGreaterThan(200);
  expect(late.length).toBeLessThan(300);
  expect(moments.some((at) => lags.isStatusLate(12, at, at + 40))).toBe(false);
});

test('an outage is missed by some reports of five minutes, within half an hour', () => {
  const lags = new Lags(1, { missedOutages: 0.5 });
  const spans = Array.from({ length: 50 }, (_, place) => {
    const confirmedAt = now + 7 * place;
    const missed = Array.from({ length: 3_600 }, (_second, second) => confirmedAt + second).filter(
      (at) => lags.misses(12, confirmedAt, at),
    );
    expect(missed.length).toBeGreaterThan(100);
    const [first = 0, last = 0] = [missed[0], missed.at(-1)];
    expect(last - first).toBeLessThan(300);
    return { from: first - confirmedAt, to: last - confirmedAt };
  });

  expect(Math.min(...spans.map(({ from }) => from))).toBeLessThan(200);
  expect(Math.max(...spans.map(({ to }) => to))).toBeGreaterThan(1_600);
  expect(Math.max(...spans.map(({ to }) => to))).toBeLessThan(1_800);
});

test.each([
  [{ reports: { min: 2, max: 1 } }],
  [{ lists: { min: 0, max: 90_000 } }],
  [{ lateResultSeconds: 0.5 }],
  [{ lateStatusSeconds: -1 }],
  [{ missedOutages: 1 }],
])('%o is refused', (settings) => {
  expect(() => requireLags(settings)).toThrow(RangeError);
});
