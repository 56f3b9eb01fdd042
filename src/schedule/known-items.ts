import type { DatasetName } from '../domain/dataset.ts';
import type { AccountState } from '../state/account-state.ts';
import type { KnownItem } from './agenda-entry.ts';
import { datasetPolicies } from './datasets.ts';

/** The items of a dataset, with the age of the data that are there. */
export function knownItems(dataset: DatasetName, state: AccountState): KnownItem[] {
  const { scope } = datasetPolicies[dataset];
  if (scope === 'account') return [known(0, state.ageSeconds(dataset, 0))];
  const ids = scope === 'check' ? state.checks.ids() : state.transactions.ids();
  return Array.from(ids, (id) => known(id, state.ageSeconds(dataset, id)));
}

function known(id: number, ageSeconds: number | undefined): KnownItem {
  return ageSeconds === undefined ? { id } : { id, ageSeconds };
}
