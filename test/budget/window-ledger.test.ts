import { expect, test } from 'vitest';
import { WindowLedger } from '../../src/budget/window-ledger.ts';

test('what others seem to have spent is forgotten when the plan became smaller', () => {
  const ledger = new WindowLedger(
    'short',
    () => [],
    () => {},
  );
  const others = { requests: 300, seconds: 900 };
  const window = { limit: 400, remaining: 90, unreported: 0, resetSeconds: 1_800, others };
  ledger.restore({ ...window, lengthSeconds: 3_600 }, 0, 0);
  expect(ledger.rate(0, 0)).toBe(90 / 1_800 / 2);
  ledger.scale(0.5);
  expect([ledger.limit, ledger.rate(0, 0)]).toEqual([200, 90 / 1_800]);
});

test('what others had not spent is taken back from both of their sums when more is left than before', () => {
  const ledger = new WindowLedger(
    'short',
    () => [],
    () => {},
  );
  let order = 0;
  const read = (atSeconds: number, remaining: number) => {
    order += 2;
    const at = 1000 * atSeconds;
    const times = { admittedAt: at, releasedAt: at, releasedMeanwhile: 0 };
    const flight = { ...times, admittedOrder: order, releasedOrder: order + 1 };
    ledger.record(flight, { remaining, resetSeconds: 3_600 - atSeconds }, 'good');
  };
  read(0, 400);
  read(60, 379);
  const sums = () => {
    const { others, othersNow } = ledger.snapshot(60_000, 0) ?? {};
    return [others?.requests, othersNow?.requests];
  };
  const before = sums();
  read(61, 384);
  expect(before).toEqual([20, 20]);
  expect(sums()).toEqual([15, 15]);
});
