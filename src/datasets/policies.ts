import { type OperationName, operations } from '../api/operations-table.ts';
import type { DatasetName, DatasetPolicy } from '../domain/dataset.ts';

interface ApiDatasetPolicy extends DatasetPolicy {
  /** The first operation of a refresh; an API version without it does not have the dataset. */
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
  isOnce: false,
  enabledByDefault: true,
} as const;

const perAccount = { ...perCheck, scope: 'account', weighsPerCheck: true } as const;

const policies: { readonly [D in DatasetName]: Omit<ApiDatasetPolicy, 'versions'> } = {
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
  history: {
    ...perCheck,
    operation: 'list_outages',
    isOnce: true,
    patienceSeconds: 7 * day,
    floorSeconds: 10 * minute,
    ceilingSeconds: Number.POSITIVE_INFINITY,
    weight: 40,
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

/**
 * The refresh policy of every dataset. The floor of the check list is the service's finest resolution
 * (API 3.1, section 2.1); that of the transactions is their shortest interval (section 2.11). At one
 * result per minute, more than 16 hours of raw results do not fit into one reply (section 8).
 */
export const datasetPolicies = withVersions(policies);

function withVersions(table: typeof policies): { readonly [D in DatasetName]: ApiDatasetPolicy } {
  const rows = Object.entries(table).map(([name, policy]) => {
    const { versions } = operations[policy.operation];
    return [name, { ...policy, versions }];
  });
  return Object.fromEntries(rows);
}
