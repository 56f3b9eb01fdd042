import type { ApiVersion } from './version.ts';

const everyVersion = ['3.1', '2.1', '2.0'] as const;
const from21 = ['3.1', '2.1'] as const;
const only31 = ['3.1'] as const;
const legacy = ['2.1', '2.0'] as const;

/**
 * Every operation the client knows: the values of the `operation` label, the method of
 * the client's port (src/api/service.ts) that performs it, and the API versions that have it.
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
