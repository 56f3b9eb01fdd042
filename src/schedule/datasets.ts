import type { ApiVersion } from '../domain/api-version.ts';
import type { DatasetName } from '../domain/dataset.ts';

export interface DatasetPolicy {
  /** What one refresh is about, and so how many items the dataset has. */
  readonly scope: 'account' | 'check' | 'transaction';
  /** `status` is planned first, at its floor; `evidence` is asked for by events, and slowly in turn. */
  readonly refreshed: 'status' | 'in turn' | 'evidence';
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
  readonly versions: readonly ApiVersion[];
}

const minute = 60;
const hour = 3600;
const day = 86_400;

const everyVersion: readonly ApiVersion[] = ['3.1', '2.1', '2.0'];
const from21: readonly ApiVersion[] = ['3.1', '2.1'];
const only31: readonly ApiVersion[] = ['3.1'];
const legacy: readonly ApiVersion[] = ['2.1', '2.0'];

const perCheck = {
  scope: 'check',
  refreshed: 'in turn',
  cost: 1,
  weighsPerCheck: false,
  patienceSeconds: hour,
  enabledByDefault: true,
  versions: everyVersion,
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
    refreshed: 'status',
    floorSeconds: minute,
    ceilingSeconds: 5 * minute,
    weight: 1000,
  },
  transactions: {
    ...perAccount,
    refreshed: 'status',
    cost: 2,
    floorSeconds: 5 * minute,
    ceilingSeconds: 30 * minute,
    weight: 100,
    versions: only31,
  },
  outages: {
    ...perCheck,
    refreshed: 'evidence',
    patienceSeconds: 0,
    floorSeconds: 7 * day,
    ceilingSeconds: Number.POSITIVE_INFINITY,
    weight: 0.2,
  },
  results: {
    ...perCheck,
    patienceSeconds: 10 * minute,
    floorSeconds: 10 * minute,
    ceilingSeconds: 16 * hour,
    weight: 4,
  },
  performance: { ...perCheck, floorSeconds: hour, ceilingSeconds: 8 * hour, weight: 2 },
  average: { ...perCheck, cost: 3, floorSeconds: hour, ceilingSeconds: day, weight: 1 },
  hours_of_day: {
    ...perCheck,
    floorSeconds: day,
    ceilingSeconds: 7 * day,
    weight: 0.5,
    enabledByDefault: false,
  },
  transaction_performance: {
    ...perCheck,
    scope: 'transaction',
    floorSeconds: hour,
    ceilingSeconds: 8 * hour,
    weight: 2,
    versions: only31,
  },
  detail: { ...perCheck, floorSeconds: day, ceilingSeconds: 30 * day, weight: 0.1 },
  analyses: {
    ...perCheck,
    refreshed: 'evidence',
    floorSeconds: 7 * day,
    ceilingSeconds: Number.POSITIVE_INFINITY,
    weight: 0.05,
  },
  active_probes: {
    ...perCheck,
    floorSeconds: day,
    ceilingSeconds: 7 * day,
    weight: 0.5,
    enabledByDefault: false,
  },
  credits: { ...perAccount, floorSeconds: 15 * minute, ceilingSeconds: day, weight: 1.25 },
  maintenance: {
    ...perAccount,
    cost: 2,
    floorSeconds: 10 * minute,
    ceilingSeconds: 6 * hour,
    weight: 5,
    versions: from21,
  },
  actions: {
    ...perAccount,
    floorSeconds: 5 * minute,
    ceilingSeconds: 6 * hour,
    weight: 5,
  },
  probes: { ...perAccount, floorSeconds: day, ceilingSeconds: 7 * day, weight: 0.25 },
  contacts: { ...perAccount, floorSeconds: hour, ceilingSeconds: 2 * day, weight: 0.5 },
  teams: {
    ...perAccount,
    floorSeconds: hour,
    ceilingSeconds: 2 * day,
    weight: 0.5,
    versions: from21,
  },
  account: {
    ...perAccount,
    cost: 5,
    floorSeconds: hour,
    ceilingSeconds: 2 * day,
    weight: 0.25,
    versions: legacy,
  },
};
