import type { ApiVersion } from '../domain/api-version.ts';
import { type DatasetName, datasetNames } from '../domain/dataset.ts';
import { datasetPolicies } from './datasets.ts';

/** What is asked of the budget by one dataset of an account of a given size. */
export interface Demand {
  readonly name: DatasetName;
  readonly items: number;
  /** Requests per refresh of one item. */
  readonly cost: number;
  readonly floorSeconds: number;
  readonly ceilingSeconds: number;
  readonly weight: number;
  /** Planned first, at its floor. */
  readonly status: boolean;
}

export interface AccountSize {
  readonly version: ApiVersion;
  readonly checks: number;
  readonly transactions: number;
  /** The shortest interval of the account's transactions; more often there is nothing new to see. */
  readonly shortestTransactionSeconds?: number;
}

/** What a configuration changes about a dataset. */
export interface DatasetChoice {
  readonly enabled?: boolean;
  readonly floorSeconds?: number;
}

export type DatasetChoices = { readonly [D in DatasetName]?: DatasetChoice };

/** The demands of the datasets that are switched on and that the API version has. */
export function demandsOf(size: AccountSize, choices: DatasetChoices = {}): Demand[] {
  return datasetNames
    .filter((name) => {
      const policy = datasetPolicies[name];
      return (
        policy.versions.includes(size.version) &&
        (choices[name]?.enabled ?? policy.enabledByDefault)
      );
    })
    .map((name) => demandOf(name, size, choices[name]))
    .filter((demand) => demand.items > 0);
}

function demandOf(name: DatasetName, size: AccountSize, choice: DatasetChoice | undefined): Demand {
  const policy = datasetPolicies[name];
  const floorSeconds = choice?.floorSeconds ?? defaultFloor(name, size);
  return {
    name,
    items: itemsOf(name, size),
    cost: costOf(name, size),
    floorSeconds,
    ceilingSeconds: Math.max(policy.ceilingSeconds, floorSeconds),
    weight: policy.weight * (policy.weighsPerCheck ? Math.max(1, size.checks) : 1),
    status: policy.refreshed === 'status',
  };
}

function defaultFloor(name: DatasetName, size: AccountSize): number {
  const { floorSeconds } = datasetPolicies[name];
  if (name !== 'transactions') return floorSeconds;
  return Math.max(floorSeconds, size.shortestTransactionSeconds ?? 0);
}

function itemsOf(name: DatasetName, size: AccountSize): number {
  if (name === 'transactions') return size.transactions > 0 ? 1 : 0;
  const items = { account: 1, check: size.checks, transaction: size.transactions };
  return items[datasetPolicies[name].scope];
}

/** Lists come in pages: of 25,000 checks, 1,000 transactions, the states of 100 transactions (API 3.1, section 4). */
function costOf(name: DatasetName, { checks, transactions }: AccountSize): number {
  if (name === 'checks') return Math.max(1, Math.ceil(checks / 25_000));
  if (name === 'transactions') {
    return Math.ceil(transactions / 1_000) + Math.ceil(transactions / 100);
  }
  return datasetPolicies[name].cost;
}
