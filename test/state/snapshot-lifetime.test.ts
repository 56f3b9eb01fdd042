import { describe, expect, test } from 'vitest';
import { DatasetTrackers } from '../../src/state/dataset-tracker.ts';
import { snapshotLifetime } from '../../src/state/snapshot-lifetime.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const nothing = { ids: () => [], fetchedAt: () => undefined };

/** The lists may be 100 s old, and performance 200 s. */
function account() {
  const clock = new VirtualClock();
  const datasets = new DatasetTrackers(clock, { checks: 100, performance: 200, detail: 200 });
  const sources = {
    datasets,
    checks: nothing,
    transactions: nothing,
    accountData: {},
    outagesExpireAtSeconds: Number.POSITIVE_INFINITY,
  };
  return { clock, datasets, sources };
}

const nowSeconds = 1_767_614_400;
const lifetimeOf = (state: Parameters<typeof snapshotLifetime>[0]) =>
  snapshotLifetime(state, nowSeconds);

describe('the lifetime of a snapshot', () => {
  test('ends with the next move of the windows at the latest', () => {
    expect(lifetimeOf(account().sources)).toBe(60);
  });

  test('ends when data become too old; those that are are not on it any more', async () => {
    const { clock, datasets, sources } = account();
    datasets.of('performance').succeeded(1);
    datasets.of('checks').succeeded(1);
    expect(lifetimeOf(sources)).toBe(60);
    await clock.advance(70_000);
    expect(lifetimeOf(sources)).toBe(30);
    await clock.advance(31_000);
    expect(lifetimeOf(sources)).toBe(60);
  });

  test.each(['check', 'transaction'] as const)('ends when a detail of a %s does', async (kind) => {
    const { clock, sources } = account();
    const dataset = kind === 'check' ? 'detail' : 'transaction_performance';
    const fetched = new Map([
      [1, clock.monotonic()],
      [2, clock.monotonic() + 5_000],
    ]);
    const items = {
      ids: () => [...fetched.keys()],
      fetchedAt: (id: number, of: string) => (of === dataset ? fetched.get(id) : undefined),
    };
    const state = { ...sources, [kind === 'check' ? 'checks' : 'transactions']: items };
    const oldest = kind === 'check' ? 200 : 300;
    await clock.advance(1000 * (oldest - 10));
    expect(lifetimeOf(state)).toBe(10);
    await clock.advance(11_000);
    expect(lifetimeOf(state)).toBe(4);
  });

  test('ends when maintenance begins or ends', () => {
    const { sources } = account();
    const between = (from: number, to: number) => ({
      maintenance: {
        windows: [],
        occurrences: [
          {
            id: 1,
            maintenanceId: 1,
            fromSeconds: nowSeconds + from,
            toSeconds: nowSeconds + to,
          },
        ],
      },
    });
    expect(lifetimeOf({ ...sources, accountData: between(20, 30) })).toBe(20);
    expect(lifetimeOf({ ...sources, accountData: between(-20, 30) })).toBe(30);
    expect(lifetimeOf({ ...sources, accountData: between(-20, -10) })).toBe(60);
  });

  test('ends when an outage that is over is forgotten', () => {
    const { sources } = account();
    expect(lifetimeOf({ ...sources, outagesExpireAtSeconds: nowSeconds + 7 })).toBe(7);
    expect(lifetimeOf({ ...sources, outagesExpireAtSeconds: nowSeconds + 70 })).toBe(60);
  });
});
