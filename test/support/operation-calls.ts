import type { MonitoringService } from '../../src/api/service.ts';
import type { OperationName } from '../../src/domain/dataset.ts';

type Call = (service: MonitoringService, signal: AbortSignal) => Promise<unknown>;

/** 2021-04-22, 06:34:41 to 07:34:41 UTC. */
export const hour = { fromSeconds: 1_619_073_281, toSeconds: 1_619_076_881 } as const;

const check = { checkId: 12, ...hour };
const transaction = { transactionId: 3, ...hour };

/** Calls every operation once. */
export const operationCalls: Readonly<Record<OperationName, Call>> = {
  list_checks: (service, signal) => service.listChecks(signal),
  get_check: (service, signal) => service.check({ checkId: 12 }, signal),
  list_results: (service, signal) => service.listResults(check, signal),
  get_average: (service, signal) => service.average(check, signal),
  get_hours_of_day: (service, signal) => service.hoursOfDay(check, signal),
  list_outages: (service, signal) => service.listOutages(check, signal),
  get_performance: (service, signal) =>
    service.performance({ ...check, resolution: 'hour' }, signal),
  list_active_probes: (service, signal) => service.listActiveProbes(check, signal),
  list_analyses: (service, signal) => service.listAnalyses(check, signal),
  get_credits: (service, signal) => service.credits(signal),
  list_probes: (service, signal) => service.listProbes(signal),
  list_actions: (service, signal) => service.listActions(hour, signal),
  list_contacts: (service, signal) => service.listContacts(signal),
  list_maintenance: (service, signal) => service.listMaintenance(signal),
  list_teams: (service, signal) => service.listTeams(signal),
  list_occurrences: (service, signal) => service.listOccurrences(hour, signal),
  list_transactions: (service, signal) => service.listTransactions(signal),
  list_transaction_states: (service, signal) => service.listTransactionStates(hour, signal),
  get_transaction_performance: (service, signal) =>
    service.transactionPerformance({ ...transaction, resolution: 'hour' }, signal),
  get_server_time: (service, signal) => service.serverTime(signal),
  list_email_reports: (service, signal) => service.listEmailReports(signal),
  list_public_reports: (service, signal) => service.listPublicReports(signal),
  list_shared_reports: (service, signal) => service.listSharedReports(signal),
};
