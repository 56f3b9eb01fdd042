import { describe, expect, test } from 'vitest';
import { Lags } from '../../src/simulation/lags.ts';
import { type Wire, wireWith } from '../../src/wire.ts';

const now = 1_767_225_600;
const lagsOf = (values: Partial<Wire>) => new Lags({ seed: 1, wire: wireWith(values) });
const moments = Array.from({ length: 500 }, (_, place) => now + 7 * place);

describe('the lag of an answer', () => {
  const wire = { reportLagSeconds: { min: 60, max: 600 }, listLagSeconds: { min: 0, max: 20 } };
  const lags = lagsOf(wire);

  test('is drawn from its range, and the same for the same seed and time', () => {
    const drawn = moments.map((at) => at - lags.asOf('list_outages', 12, at));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(600);
    expect(new Set(drawn).size).toBeGreaterThan(100);
    const again = lagsOf(wire);
    expect(moments.map((at) => at - again.asOf('list_outages', 12, at))).toEqual(drawn);
  });

  test('of a list has a range of its own, and other answers have none', () => {
    const drawn = moments.map((at) => at - lags.asOf('list_checks', 0, at));
    expect(Math.max(...drawn)).toBe(20);
    expect(lags.asOf('get_credits', 0, now)).toBe(now);
  });
});

test('a tenth of the results is late, none by more than was asked for', () => {
  const lags = lagsOf({ lateResultSeconds: 900 });
  const late = moments.filter((at) => !lags.isListed(12, at, at));
  expect(late.length).toBeGreaterThan(25);
  expect(late.length).toBeLessThan(100);
  expect(moments.every((at) => lags.isListed(12, at, at + 900))).toBe(true);
});

test('a list may show a test with the state before it, but not for longer than was asked for', () => {
  const lags = lagsOf({ lateStatusSeconds: 40 });
  const late = moments.filter((at) => lags.isStatusLate(12, at, at + 20));
  expect(late.length).toBeGreaterThan(200);
  expect(late.length).toBeLessThan(300);
  expect(moments.some((at) => lags.isStatusLate(12, at, at + 40))).toBe(false);
});

test('an outage is missed by some reports of five minutes, within half an hour', () => {
  const lags = lagsOf({ missedOutages: 0.5 });
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
