import { expect, onTestFinished, test } from 'vitest';
import { AccountListeners } from '../../src/app/account-events.ts';
import { accountRequests } from '../../src/app/account-service.ts';
import { scrubberOf } from '../../src/app/logging.ts';
import { SharedLedger } from '../../src/budget/shared-ledger.ts';
import { createRefreshes } from '../../src/datasets/index.ts';
import type { DatasetName, ItemId } from '../../src/domain/dataset.ts';
import { shopState } from '../state/support/shop.ts';
import { refreshWires } from '../support/refresh-wires.ts';
import { sandboxAccount, startVirtualSandbox } from '../support/sandbox-exporter.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const tenMinutes = 600_000;

/** Refreshes of a simulated account, with their steps in order. */
async function refreshedAccount() {
  const clock = new VirtualClock();
  const sandbox = await startVirtualSandbox(clock, { checks: 3, transactions: 1 });
  onTestFinished(() => sandbox.close());
  const settings = sandboxAccount(sandbox);
  const listeners = new AccountListeners();
  const parts = {
    mayRequest: () => true,
    budgetShare: () => 1,
    clock,
    random: () => 0.5,
    ledger: new SharedLedger({ clock, random: () => 0.5 }),
    scrubber: scrubberOf([settings]),
    listeners,
  };
  const { service, serviceClock, transport } = accountRequests(settings, parts);
  onTestFinished(() => transport.close());
  const steps: string[] = [];
  listeners.add({ attempted: () => steps.push('read') });
  const state = shopState({
    account: settings.name,
    apiVersion: service.version,
    baseUrl: service.baseUrl,
    clock,
    storeTotals: async () => {
      steps.push('stored');
    },
    responseTimeBounds: [],
  });
  const reads = { service, state, clock: serviceClock, responseTimeBounds: [], byCountry: false };
  const refreshes = createRefreshes({ ...refreshWires(clock), ...reads });
  const refresh = async (dataset: DatasetName, id: ItemId = 'account') => {
    steps.length = 0;
    const { signal } = new AbortController();
    await refreshes.get(dataset)?.(id, signal, () => steps.push('all read'));
    return [...steps];
  };
  return { clock, sandbox, state, refresh };
}

test('a refresh reports that it has read everything before it waits for the store, and sends no request afterwards', async () => {
  const { clock, sandbox, state, refresh } = await refreshedAccount();
  const readAndStored = ['read', 'all read', 'stored'];
  const [check] = sandbox.world.checks;
  if (check === undefined) throw new Error('the sandbox has no check');
  const now = clock.now() / 1000;
  sandbox.world.plant({ checkId: check.id, status: 'down', from: now + 60, to: now + 300 });

  expect(await refresh('maintenance')).toEqual(['read', 'read', 'all read', 'stored']);
  expect(await refresh('checks')).toEqual(readAndStored);
  await clock.advance(tenMinutes);
  expect(await refresh('checks')).toEqual(readAndStored);
  expect(await refresh('outages', check.id)).toEqual(readAndStored);
  expect(await refresh('results', check.id)).toEqual(readAndStored);
  expect(await refresh('analyses', check.id)).toEqual(readAndStored);
  // Until then, a report of the past may lack an outage before this one.
  await clock.advance(4 * tenMinutes);
  const [unknown] = state.firstSight.unread();
  expect(await refresh('history', unknown)).toEqual(readAndStored);
  // New transactions are stored first, even if their report fails.
  expect(await refresh('transactions')).toEqual(['read', 'stored', ...readAndStored]);
  expect(await refresh('actions')).toEqual(readAndStored);
});
