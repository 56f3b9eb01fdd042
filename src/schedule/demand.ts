import { pageSizeMultiple } from '../api/list.ts';
import {
  type DatasetName,
  type DatasetPolicy,
  datasetNames,
  datasetPolicies,
} from '../domain/dataset.ts';
import type { ApiVersion } from '../domain/version.ts';
import { present } from '../lib/present.ts';
import type { MaxStaleness } from '../state/dataset-tracker.ts';

export interface PlannedDataset extends Omit<Demand, 'floorSeconds' | 'ceilingSeconds' | 'weight'> {
  /** The interval of each item; Infinity if the budget allows no requests. */
  readonly intervalSeconds: number;
  /** The interval that the limits sustain when the past has been read. */
  readonly lastingIntervalSeconds: number;
  readonly requestsPerSecond: number;
  /** The interval is too long for the dataset to be useful. */
  readonly overCeiling: boolean;
  /** Additional requests per hour that would keep the interval within the ceiling. */
  readonly missingPerHour: number;
}

/** The requests that one dataset needs, for an account of a given size. */
export interface Demand {
  readonly name: DatasetName;
  readonly items: number;
  /** Requests per refresh of one item. */
  readonly cost: number;
  readonly floorSeconds: number;
  readonly ceilingSeconds: number;
  readonly weight: number;
  /** True for a dataset that is planned first, at its floor. */
  readonly isStatus: boolean;
  /** Each item is read once: the dataset has no permanent demand. */
  readonly isOnce?: boolean;
  /** First sight is complete. What is left of the past was before its 35 days. */
  readonly isDeeper?: boolean;
}

export interface DemandSize {
  readonly version: ApiVersion;
  readonly checks: number;
  readonly transactions: number;
  /** True until the first read of the transactions ends. The account may have some. */
  readonly transactionsAreUnknown?: true;
  /** The shortest interval of the transactions; faster polling shows nothing new. */
  readonly shortestTransactionSeconds?: number;
  /** Checks whose time before first sight is not read yet. It is read once per check. */
  readonly checksWithUnknownPast?: number;
  /** All requests for the past beyond 35 days that an operator wants; absent if none are left. */
  readonly deeperRequests?: number;
}

/** The configured settings of a dataset. */
interface DatasetChoice {
  readonly enabled?: boolean;
  readonly floorSeconds?: number;
  /** Data older than this are not shown. */
  readonly maxStalenessSeconds?: number;
  /** True if averages are also fetched by country, with one more request. */
  readonly byCountry?: boolean;
}

export type DatasetChoices = { readonly [D in DatasetName]?: DatasetChoice };

/** The configured maximum age of the shown data, by dataset. */
export function maxStalenessOf(choices: DatasetChoices): MaxStaleness {
  const chosen = Object.entries(choices).map(([name, choice]) => [
    name,
    choice.maxStalenessSeconds,
  ]);
  return present(Object.fromEntries(chosen));
}

/** The demands of the datasets that are enabled and that the API version has. */
export function demandsOf(size: DemandSize, choices: DatasetChoices = {}): Demand[] {
  return datasetNames
    .filter((name) => {
      const { enabledByDefault, versions } = datasetPolicies[name];
      return (choices[name]?.enabled ?? enabledByDefault) && versions.includes(size.version);
    })
    .map((name) =>
      demandOf({
        name,
        policy: datasetPolicies[name],
        size,
        ...present({ choice: choices[name] }),
      }),
    )
    .filter((demand) => demand.items > 0);
}

/** An account without transactions is checked for new ones at this interval. */
const discoverySeconds = 3600;

interface DemandInput {
  readonly name: DatasetName;
  readonly policy: DatasetPolicy;
  readonly size: DemandSize;
  readonly choice?: DatasetChoice;
}

function demandOf(input: DemandInput): Demand {
  const { name, policy, size, choice } = input;
  const floorSeconds = choice?.floorSeconds ?? defaultFloor(input);
  return {
    name,
    items: itemsOf(name, policy, size),
    cost: costOf(input),
    floorSeconds,
    ceilingSeconds: Math.max(policy.ceilingSeconds, floorSeconds),
    weight: policy.weight * (policy.weighsPerCheck ? Math.max(1, size.checks) : 1),
    // Without transactions, the list is read only to discover new ones, so it shows no status.
    isStatus: policy.refreshClass === 'status' && !lacksTransactions(name, size),
    ...(policy.isOnce && { isOnce: true }),
    ...(policy.isOnce && size.checksWithUnknownPast === undefined && { isDeeper: true }),
  };
}

function defaultFloor({ name, policy, size }: DemandInput): number {
  const { floorSeconds, ceilingSeconds } = policy;
  if (name !== 'transactions') return floorSeconds;
  if (lacksTransactions(name, size)) return discoverySeconds;
  // The ceiling is the limit, because even a transaction that runs twice a day must be shown as
  // failing within it.
  return Math.min(ceilingSeconds, Math.max(floorSeconds, size.shortestTransactionSeconds ?? 0));
}

function itemsOf(name: DatasetName, { scope }: DatasetPolicy, size: DemandSize): number {
  // A deeper past waits for first sight.
  if (name === 'history') return size.checksWithUnknownPast ?? size.deeperRequests ?? 0;
  return { account: 1, check: size.checks, transaction: size.transactions }[scope];
}

/** A list as it is read result page by result page. */
interface PagedList {
  readonly entries: number;
  /** The limit of a result page. */
  readonly perPage: number;
  /** The service reports the size of the whole list. */
  readonly hasTotal?: boolean;
}

/**
 * The requests that read a list. Each result page after the first repeats one entry of the page
 * before. Without a total, a last page whose size is a multiple of 50 may have been cut, so
 * another request confirms the end.
 */
function requestsFor({ entries, perPage, hasTotal = false }: PagedList): number {
  const perFurtherPage = perPage - 1;
  const pages = 1 + Math.max(0, Math.ceil((entries - perPage) / perFurtherPage));
  const onLastPage = entries - (pages - 1) * perFurtherPage;
  const isConfirmed = !hasTotal && entries > 0 && onLastPage % pageSizeMultiple === 0;
  return isConfirmed ? pages + 1 : pages;
}

/**
 * A list needs several requests if it exceeds one result page: 25,000 checks, 1,000 transactions,
 * or the states of 100 transactions (API 3.1, section 4). API 2.0 reports no total.
 */
function costOf({ name, policy, size, choice }: DemandInput): number {
  const { checks, transactions, version } = size;
  if (name === 'checks') {
    return requestsFor({ entries: checks, perPage: 25_000, hasTotal: version !== '2.0' });
  }
  if (name === 'transactions') {
    const list = requestsFor({ entries: transactions, perPage: 1_000 });
    return list + (transactions === 0 ? 0 : requestsFor({ entries: transactions, perPage: 100 }));
  }
  // Only API 3.1 lists occurrences.
  if (name === 'maintenance' && version !== '3.1') return 1;
  const byCountry = name === 'average' && choice?.byCountry === true;
  return policy.cost + (byCountry ? 1 : 0);
}

function lacksTransactions(name: DatasetName, size: DemandSize): boolean {
  return name === 'transactions' && size.transactions === 0 && size.transactionsAreUnknown !== true;
}
