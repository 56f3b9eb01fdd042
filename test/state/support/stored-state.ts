import { present } from '../../../src/lib/present.ts';
import type { AccountState } from '../../../src/state/account-state.ts';

/** What a restored state of the account begins with, without its transactions. */
export function storedOf(state: AccountState): Parameters<AccountState['restore']>[0] {
  const records = [...state.checks.records()];
  return {
    checks: records.map(({ entry }) => entry),
    checkTotals: new Map(records.map(({ entry, totals }) => [entry.id, totals])),
    checkDetails: new Map(records.map(({ entry, details }) => [entry.id, details])),
    accountData: { ...state.accountData, ...present({ maintenance: state.maintenance.read }) },
    datasets: state.datasets.successes(),
    outages: state.standing.outages,
    transactionTotals: new Map(),
    transactionDetails: new Map(),
  };
}
