import { z } from 'zod';
import { amount, optional, type TypeOf } from '../lib/schema.ts';
import type { ApiVersion } from './version.ts';

const everyVersion = ['3.1', '2.1', '2.0'] as const;
const from21 = ['3.1', '2.1'] as const;
const only31 = ['3.1'] as const;
const legacy = ['2.1', '2.0'] as const;

/**
 * All operations of the client: the value of the `operation` label, the method of the port
 * (src/api/service.ts), and the API versions that have the operation.
 */
export const operations = {
  list_checks: { method: 'listChecks', versions: everyVersion },
  get_check: { method: 'check', versions: everyVersion },
  list_results: { method: 'listResults', versions: everyVersion },
  get_average: { method: 'average', versions: everyVersion },
  get_hours_of_day: { method: 'hoursOfDay', versions: everyVersion },
  list_outages: { method: 'listOutages', versions: everyVersion },
  get_performance: { method: 'performance', versions: everyVersion },
  list_active_probes: { method: 'listActiveProbes', versions: everyVersion },
  list_analyses: { method: 'listAnalyses', versions: everyVersion },
  get_credits: { method: 'credits', versions: everyVersion },
  list_probes: { method: 'listProbes', versions: everyVersion },
  list_actions: { method: 'listActions', versions: everyVersion },
  list_contacts: { method: 'listContacts', versions: everyVersion },
  list_maintenance: { method: 'listMaintenance', versions: from21 },
  list_teams: { method: 'listTeams', versions: from21 },
  list_occurrences: { method: 'listOccurrences', versions: only31 },
  list_transactions: { method: 'listTransactions', versions: only31 },
  list_transaction_states: { method: 'listTransactionStates', versions: only31 },
  get_transaction_performance: { method: 'transactionPerformance', versions: only31 },
  get_server_time: { method: 'serverTime', versions: legacy },
  list_email_reports: { method: 'listEmailReports', versions: legacy },
  list_public_reports: { method: 'listPublicReports', versions: legacy },
  list_shared_reports: { method: 'listSharedReports', versions: legacy },
} as const;

export type OperationName = keyof typeof operations;
type Operations = typeof operations;

/** The methods for which a version of the API has an operation. */
export type MethodOf<V extends ApiVersion> = {
  [O in OperationName]: V extends Operations[O]['versions'][number]
    ? Operations[O]['method']
    : never;
}[OperationName];

export const operationNames = Object.keys(operations) as readonly OperationName[];

/** The operations that a version of the API has. */
export function operationsOf(version: ApiVersion): ReadonlySet<OperationName> {
  const has = (name: OperationName) =>
    (operations[name].versions as readonly ApiVersion[]).includes(version);
  return new Set(operationNames.filter(has));
}

/** Why a dataset is refreshed: for the status, because of an event, or in the background. */
const refreshClasses = ['status', 'event', 'background'] as const;
export type RefreshClass = (typeof refreshClasses)[number];

export const allowancesSchema = z.object({
  status: z.number(),
  event: z.number(),
  background: z.number(),
  /** Absent until first sight has received its credit. */
  firstSight: optional.number,
} satisfies Record<RefreshClass | 'firstSight', z.ZodType>);
/** The requests of each class that may be sent at once; negative after an overdraft. */
export type Allowances = TypeOf<typeof allowancesSchema>;

/** How the scheduler treats one dataset. */
export interface DatasetPolicy {
  /** The first operation of a refresh. An API version without it does not have the dataset. */
  readonly operation: OperationName;
  /** The data that are missing without it, as one phrase, for people who may disable it. */
  readonly without: string;
  /** Whether one refresh reads the account, one check or one transaction. */
  readonly scope: 'account' | 'check' | 'transaction';
  /** `status` is planned first, at its shortest interval; `event` rarely, unless requested. */
  readonly refreshClass: RefreshClass;
  /** Requests per refresh of one item. */
  readonly cost: number;
  /** The shortest useful interval. */
  readonly floorSeconds: number;
  /** The longest useful interval; Infinity for a dataset that events request. */
  readonly ceilingSeconds: number;
  /** The weight of one second of age of one item, relative to other datasets. */
  readonly weight: number;
  /** The data concern every check, so their weight grows with the number of checks. */
  readonly weighsPerCheck: boolean;
  /** A refresh by an event should begin within this time; one without patience goes first. */
  readonly patienceSeconds: number;
  /** Each item is refreshed once, after events and before the background. */
  readonly isOnce: boolean;
  readonly enabledByDefault: boolean;
  /** The API versions that have the dataset. */
  readonly versions: readonly ApiVersion[];
}

/** The subject of a refresh: one check or transaction, by its id, or the account as a whole. */
export type ItemId = number | 'account';

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

const table = {
  checks: {
    ...perAccount,
    operation: 'list_checks',
    without: 'everything',
    refreshClass: 'status',
    patienceSeconds: 0,
    floorSeconds: minute,
    ceilingSeconds: 5 * minute,
    weight: 1000,
  },
  transactions: {
    ...perAccount,
    operation: 'list_transactions',
    without: 'everything about transactions',
    refreshClass: 'status',
    cost: 2,
    floorSeconds: 5 * minute,
    ceilingSeconds: 30 * minute,
    weight: 100,
  },
  outages: {
    ...perCheck,
    operation: 'list_outages',
    without: 'counters and error budgets of checks that fail often',
    refreshClass: 'event',
    patienceSeconds: 0,
    floorSeconds: 7 * day,
    ceilingSeconds: Number.POSITIVE_INFINITY,
    weight: 0.2,
  },
  history: {
    ...perCheck,
    operation: 'list_outages',
    without: 'error budgets and outages of the time before, and history for Prometheus',
    isOnce: true,
    patienceSeconds: 7 * day,
    floorSeconds: 10 * minute,
    ceilingSeconds: Number.POSITIVE_INFINITY,
    weight: 40,
  },
  results: {
    ...perCheck,
    operation: 'list_results',
    without: 'histograms, quantiles and causes',
    patienceSeconds: 10 * minute,
    floorSeconds: 10 * minute,
    ceilingSeconds: 16 * hour,
    weight: 4,
  },
  performance: {
    ...perCheck,
    operation: 'get_performance',
    without: 'response time charts and hourly averages',
    floorSeconds: hour,
    ceilingSeconds: 8 * hour,
    weight: 2,
  },
  average: {
    ...perCheck,
    operation: 'get_average',
    without: "the service's own averages and uptime; error budgets stay",
    cost: 3,
    floorSeconds: hour,
    ceilingSeconds: day,
    weight: 1,
  },
  hours_of_day: {
    ...perCheck,
    operation: 'get_hours_of_day',
    without: 'averages by hour of the day',
    floorSeconds: day,
    ceilingSeconds: 7 * day,
    weight: 0.5,
    enabledByDefault: false,
  },
  transaction_performance: {
    ...perCheck,
    operation: 'get_transaction_performance',
    without: 'durations of transactions',
    scope: 'transaction',
    floorSeconds: hour,
    ceilingSeconds: 8 * hour,
    weight: 2,
  },
  detail: {
    ...perCheck,
    operation: 'get_check',
    without: 'thresholds and recipients',
    floorSeconds: day,
    ceilingSeconds: 30 * day,
    weight: 0.1,
  },
  analyses: {
    ...perCheck,
    operation: 'list_analyses',
    without: 'counts and ids of analyses',
    refreshClass: 'event',
    floorSeconds: 7 * day,
    ceilingSeconds: Number.POSITIVE_INFINITY,
    weight: 0.05,
  },
  active_probes: {
    ...perCheck,
    operation: 'list_active_probes',
    without: 'the number of probes',
    floorSeconds: day / 2,
    ceilingSeconds: day,
    weight: 0.5,
    enabledByDefault: false,
  },
  credits: {
    ...perAccount,
    operation: 'get_credits',
    without: 'limits of checks and messages',
    floorSeconds: 15 * minute,
    ceilingSeconds: day,
    weight: 1.25,
  },
  maintenance: {
    ...perAccount,
    operation: 'list_maintenance',
    without: 'maintenance, which then counts as downtime and raises alerts',
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
    without: 'counts of alerts sent',
    floorSeconds: 5 * minute,
    ceilingSeconds: 6 * hour,
    weight: 5,
  },
  probes: {
    ...perAccount,
    operation: 'list_probes',
    without: 'probe metrics and countries',
    floorSeconds: day,
    ceilingSeconds: 7 * day,
    weight: 0.25,
  },
  contacts: {
    ...perAccount,
    operation: 'list_contacts',
    without: 'counts of contacts',
    floorSeconds: hour,
    ceilingSeconds: 2 * day,
    weight: 0.5,
  },
  teams: {
    ...perAccount,
    operation: 'list_teams',
    without: 'counts of teams',
    floorSeconds: hour,
    ceilingSeconds: 2 * day,
    weight: 0.5,
  },
  account: {
    ...perAccount,
    operation: 'get_server_time',
    without: 'account settings',
    cost: 4,
    floorSeconds: hour,
    ceilingSeconds: 2 * day,
    weight: 0.25,
  },
} satisfies Readonly<Record<string, Omit<DatasetPolicy, 'versions'>>>;

/** The kinds of data of an account. Each is refreshed at its own interval. */
export type DatasetName = keyof typeof table;

export const datasetNames = Object.keys(table) as readonly DatasetName[];

export const datasetSuccessSchema = z.object({
  name: z.enum(datasetNames),
  /** The time by this machine's clock. */
  atSeconds: amount,
  /** The time by the service's clock. */
  serviceAtSeconds: optional.amount,
  items: amount,
  /** The planned interval, from which the maximum age follows until there is a new plan. */
  intervalSeconds: optional.amount,
});
/** The last success of a dataset; UNIX seconds. */
export type DatasetSuccess = TypeOf<typeof datasetSuccessSchema>;

/**
 * The refresh policy of every dataset. The floor of the check list is the finest resolution of the
 * service (API 3.1, section 2.1); the floor of the transactions is their shortest interval (section
 * 2.11). The ceiling of results is 16 hours, because one response has room for the results of 16
 * hours at one per minute (section 8).
 */
export const datasetPolicies = withVersions();

function withVersions(): { readonly [D in DatasetName]: DatasetPolicy } {
  const rows = Object.entries(table).map(([name, policy]) => {
    const { versions } = operations[policy.operation];
    return [name, { ...policy, versions }];
  });
  return Object.fromEntries(rows);
}

/** Returns the datasets with what is lost without each, such as `teams (you would lose …), …`. */
export function withLosses(names: readonly DatasetName[]): string {
  return names
    .map((name) => `${name} (you would lose ${datasetPolicies[name].without})`)
    .join(', ');
}
