import type { AccountData } from '../domain/account.ts';
import { type DatasetName, datasetNames, datasetPolicies } from '../domain/dataset.ts';
import type { DatasetTrackers } from './dataset-tracker.ts';

/** The windows of error budgets end later at least this often. */
export const windowsPeriodMilliseconds = 60_000;

/** Their details have ages of their own. */
interface Items {
  ids(): Iterable<number>;
  fetchedAt(id: number, dataset: DatasetName): number | undefined;
}

/** The state of an account. */
interface LifetimeSources {
  readonly datasets: DatasetTrackers;
  readonly checks: Items;
  readonly transactions: Items;
  readonly accountData: Pick<AccountData, 'maintenance'>;
  /** When time alone changes what is shown of outages, in UNIX seconds; infinity when it does not. */
  readonly outagesExpireAtSeconds: number;
}

/**
 * For how many seconds a snapshot stays as it is when nothing is read and its windows end now: until data become too old,
 * maintenance begins or ends, an outage that is over is forgotten, or the windows move. `nowSeconds` is UNIX time as the
 * service has it.
 */
export function snapshotLifetime(state: LifetimeSources, nowSeconds: number): number {
  const { datasets, checks, transactions, accountData, outagesExpireAtSeconds } = state;
  const items = { check: checks, transaction: transactions };
  let seconds = windowsPeriodMilliseconds / 1000;
  const until = (remaining: number) => {
    if (remaining >= 0 && remaining < seconds) seconds = remaining;
  };
  for (const remaining of datasets.freshForSeconds()) until(remaining);
  for (const dataset of datasetNames) {
    const { scope } = datasetPolicies[dataset];
    if (scope === 'account') continue;
    const freshSince = datasets.freshSince(dataset);
    for (const id of items[scope].ids()) {
      const at = items[scope].fetchedAt(id, dataset);
      if (at !== undefined) until((at - freshSince) / 1000);
    }
  }
  for (const { fromSeconds, toSeconds } of accountData.maintenance?.occurrences ?? []) {
    until(fromSeconds - nowSeconds);
    until(toSeconds - nowSeconds);
  }
  until(outagesExpireAtSeconds - nowSeconds);
  return seconds;
}
