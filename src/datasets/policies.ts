import { type OperationName, operations } from '../api/operations-table.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { ApiVersion } from '../domain/version.ts';

export interface DatasetPolicy {
  /** What one refresh is about, and so how many items the dataset has. */
  readonly scope: 'account' | 'check' | 'transaction';
  /** `status` is planned first, at its floor; `evidence` is asked for by events, and slowly in turn. */
  readonly refreshClass: 'status' | 'background' | 'event';
  /** Requests that one refresh of one item costs. */
  readonly cost: number;
  /** The shortest sensible interval. */
  readonly floorSeconds: number;
  /** Beyond this interval the dataset is of little use; Infinity when events alone make it useful. */
  readonly ceilingSeconds: number;
  /** What a second of age of one item weighs against one of another dataset. */
  readonly weight: number;
  /** The data are of use to every check, so their weight grows with the number of checks. */
  readonly weighsPerCheck: boolean;
  /** An event that asks for the dataset is served in time within this; of two the sooner due goes first. */
  readonly patienceSeconds: number;
  readonly enabledByDefault: boolean;
  /** What a refresh asks for first; an API version without it does not have the dataset. */
  readonly operation: OperationName;
}

const minute = 60;
const hour = 3600;
const day = 86_400;

const perCheck = {
  scope: 'check',
  refreshClass: 'background',
  cost: 1,
  weighsPerCheck: false,
  patienceSeconds: hour,
  enabledByDefault: true,
} as const;

const perAccount = { ...perCheck, scope: 'account', weighsPerCheck: true } as const;

/**
 * The refresh policy of every dataset. The floor of the check list is the service's finest resolution
 * (API 3.1, section 2.1), that of the transactions their shortest interval (section 2.11). At one
 * result a minute, raw results older than 16 hours no longer fit into one reply (section 8).
 */
export const datasetPolicies: { readonly [D in DatasetName]: DatasetPolicy } = {
  checks: {
    ...perAccount,
    operation: 'list_checks',
    refreshClass: 'status',
    patienceSeconds: 0,
    floorSeconds: minute,
    ceilingSeconds: 5 * minute,
    weight: 1000,
  },
  transactions: {
    ...perAccount,
    operation: 'list_transactions',
    refreshClass: 'status',
    cost: 2,
    floorSeconds: 5 * minute,
    ceilingSeconds: 30 * minute,
    weight: 100,
  },
  outages: {
    ...perCheck,
    operation: 'list_outages',
    refreshClass: 'event',
    patienceSeconds: 0,
    floorSeconds: 7 * day,
    ceilingSeconds: Number.POSITIVE_INFINITY,
    weight: 0.2,
  },
  results: {
    ...perCheck,
    operation: 'list_results',
    patienceSeconds: 10 * minute,
    floorSeconds: 10 * minute,
    ceilingSeconds: 16 * hour,
    weight: 4,
  },
  performance: {
    ...perCheck,
    operation: 'get_performance',
    floorSeconds: hour,
    ceilingSeconds: 8 * hour,
    weight: 2,
  },
  average: {
    ...perCheck,
    operation: 'get_average',
    cost: 3,
    floorSeconds: hour,
    ceilingSeconds: day,
    weight: 1,
  },
  hours_of_day: {
    ...perCheck,
    operation: 'get_hours_of_day',
    floorSeconds: day,
    ceilingSeconds: 7 * day,
    weight: 0.5,
    enabledByDefault: false,
  },
  transaction_performance: {
    ...perCheck,
    operation: 'get_transaction_performance',
    scope: 'transaction',
    floorSeconds: hour,
    ceilingSeconds: 8 * hour,
    weight: 2,
  },
  detail: {
    ...perCheck,
    operation: 'get_check',
    floorSeconds: day,
    ceilingSeconds: 30 * day,
    weight: 0.1,
  },
  analyses: {
    ...perCheck,
    operation: 'list_analyses',
    refreshClass: 'event',
    floorSeconds: 7 * day,
    ceilingSeconds: Number.POSITIVE_INFINITY,
    weight: 0.05,
  },
  active_probes: {
    ...perCheck,
    operation: 'list_active_probes',
    floorSeconds: day,
    ceilingSeconds: 7 * day,
    weight: 0.5,
    enabledByDefault: false,
  },
  credits: {
    ...perAccount,
    operation: 'get_credits',
    floorSeconds: 15 * minute,
    ceilingSeconds: day,
    weight: 1.25,
  },
  maintenance: {
    ...perAccount,
    operation: 'list_maintenance',
    refreshClass: 'status',
    patienceSeconds: minute,
    cost: 2,
    floorSeconds: 5 * minute,
    ceilingSeconds: 15 * minute,
    weight: 30,
  },
  actions: {
    ...perAccount,
    operation: 'list_actions',
    floorSeconds: 5 * minute,
    ceilingSeconds: 6 * hour,
    weight: 5,
  },
  probes: {
    ...perAccount,
    operation: 'list_probes',
    floorSeconds: day,
    ceilingSeconds: 7 * day,
    weight: 0.25,
  },
  contacts: {
    ...perAccount,
    operation: 'list_contacts',
    floorSeconds: hour,
    ceilingSeconds: 2 * day,
    weight: 0.5,
  },
  teams: {
    ...perAccount,
    operation: 'list_teams',
    floorSeconds: hour,
    ceilingSeconds: 2 * day,
    weight: 0.5,
  },
  account: {
    ...perAccount,
    operation: 'get_server_time',
    cost: 5,
    floorSeconds: hour,
    ceilingSeconds: 2 * day,
    weight: 0.25,
  },
};

/** The API versions that have the dataset. */
export function versionsOf(dataset: DatasetName): readonly ApiVersion[] {
  return operations[datasetPolicies[dataset].operation].versions;
}
