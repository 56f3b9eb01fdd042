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
