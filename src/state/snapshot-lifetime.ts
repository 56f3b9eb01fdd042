import type { AccountData } from '../domain/account.ts';
import { type DatasetName, datasetNames, datasetPolicies } from '../domain/dataset.ts';
import { type Outages, overSeconds } from '../windows/outages.ts';
import type { DatasetTrackers } from './dataset-tracker.ts';

/** The windows of error budgets end later at least this often. */
export const windowsPeriodMilliseconds = 60_000;

interface Items {
  ids(): Iterable<number>;
  fetchedAt(id: number, dataset: DatasetName): number | undefined;
}

interface LifetimeSources {
  readonly datasets: DatasetTrackers;
  /** Whose details have ages of their own. */
  readonly items: { readonly check: Items; readonly transaction: Items };
  readonly maintenance: AccountData['maintenance'];
  readonly outages: readonly Outages[];
  /** The time of the service, in UNIX seconds. */
  readonly nowSeconds: number;
}

/**
 * For how many seconds a snapshot stays as it is when nothing is read and its windows end now: until data become too old,
 * maintenance begins or ends, an outage that is over is forgotten, or the windows move.
 */
export function snapshotLifetime(sources: LifetimeSources): number {
  const { datasets, items, maintenance, outages, nowSeconds } = sources;
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
  for (const { startAtSeconds, endAtSeconds } of maintenance?.occurrences ?? []) {
    until(startAtSeconds - nowSeconds);
    until(endAtSeconds - nowSeconds);
  }
  for (const { items: current, former } of outages) {
    for (const { overAtSeconds } of current.values()) {
      if (overAtSeconds !== undefined) until(overAtSeconds + overSeconds - nowSeconds);
    }
    for (const { untilSeconds } of former) until(untilSeconds - nowSeconds);
  }
  return seconds;
}
