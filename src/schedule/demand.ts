import { datasetPolicies, versionsOf } from '../datasets/policies.ts';
import { type DatasetName, datasetNames } from '../domain/dataset.ts';
import type { ApiVersion } from '../domain/version.ts';
import { present } from '../lib/present.ts';
import type { MaxStaleness } from '../state/dataset-tracker.ts';

/** What the plan grants one dataset. */
export interface PlannedDataset {
  readonly name: DatasetName;
  readonly items: number;
  /** Requests per refresh of one item. */
  readonly cost: number;
  readonly status: boolean;
  /** Each item is refreshed this often; Infinity when there is nothing to spend. */
  readonly intervalSeconds: number;
  readonly requestsPerSecond: number;
  /** The interval is longer than the dataset can bear and still be useful. */
  readonly overCeiling: boolean;
  /** Requests per hour that are missing to keep the ceiling. */
  readonly missingPerHour: number;
}

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
interface DatasetChoice {
  readonly enabled?: boolean;
  readonly floorSeconds?: number;
  /** Older data are not shown. */
  readonly maxStalenessSeconds?: number;
  /** Averages are also asked for by country, with one more request. */
  readonly byCountry?: boolean;
}

export type DatasetChoices = { readonly [D in DatasetName]?: DatasetChoice };

/** How old the data of each dataset may be to be shown, where that is chosen. */
export function maxStalenessOf(choices: DatasetChoices): MaxStaleness {
  const chosen = Object.entries(choices).map(([name, choice]) => [
    name,
    choice.maxStalenessSeconds,
  ]);
  return present(Object.fromEntries(chosen));
}

/** The demands of the datasets that are switched on and that the API version has. */
export function demandsOf(size: AccountSize, choices: DatasetChoices = {}): Demand[] {
  return datasetNames
    .filter((name) => {
      const enabled = choices[name]?.enabled ?? datasetPolicies[name].enabledByDefault;
      return enabled && versionsOf(name).includes(size.version);
    })
    .map((name) => demandOf(name, size, choices[name]))
    .filter((demand) => demand.items > 0);
}

/** How often it is looked whether an account without transactions has got one. */
const discoverySeconds = 3600;

function demandOf(name: DatasetName, size: AccountSize, choice: DatasetChoice | undefined): Demand {
  const policy = datasetPolicies[name];
  const floorSeconds = choice?.floorSeconds ?? defaultFloor(name, size);
  return {
    name,
    items: itemsOf(name, size),
    cost: costOf(name, size, choice),
    floorSeconds,
    ceilingSeconds: Math.max(policy.ceilingSeconds, floorSeconds),
    weight: policy.weight * (policy.weighsPerCheck ? Math.max(1, size.checks) : 1),
    // While there is nothing to tell of, the list is only looked at now and then.
    status: policy.refreshClass === 'status' && !lacksTransactions(name, size),
  };
}

function defaultFloor(name: DatasetName, size: AccountSize): number {
  const { floorSeconds, ceilingSeconds } = datasetPolicies[name];
  if (name !== 'transactions') return floorSeconds;
  if (lacksTransactions(name, size)) return discoverySeconds;
  // One that is run twice a day is to be known to fail within the ceiling all the same.
  return Math.min(ceilingSeconds, Math.max(floorSeconds, size.shortestTransactionSeconds ?? 0));
}

function itemsOf(name: DatasetName, size: AccountSize): number {
  const items = { account: 1, check: size.checks, transaction: size.transactions };
  return items[datasetPolicies[name].scope];
}

/** Lists come in pages: of 25,000 checks, 1,000 transactions, the states of 100 transactions (API 3.1, section 4). */
function costOf(
  name: DatasetName,
  { checks, transactions }: AccountSize,
  choice: DatasetChoice | undefined,
): number {
  if (name === 'checks') return Math.max(1, Math.ceil(checks / 25_000));
  if (name === 'transactions') {
    return Math.max(1, Math.ceil(transactions / 1_000)) + Math.ceil(transactions / 100);
  }
  const byCountry = name === 'average' && choice?.byCountry === true;
  return datasetPolicies[name].cost + (byCountry ? 1 : 0);
}

function lacksTransactions(name: DatasetName, { transactions }: AccountSize): boolean {
  return name === 'transactions' && transactions === 0;
}
