import type { OperationName } from '../../api/operation-names.ts';
import type { DatasetName } from '../../domain/dataset.ts';
import type { PendingReports } from './pending-reports.ts';
import type { Refresh, RefreshContext, Refreshes } from './refresh.ts';
import { refreshActions } from './refresh-actions.ts';
import { refreshAnalyses } from './refresh-analyses.ts';
import { refreshChecks } from './refresh-checks.ts';
import {
  refreshAccount,
  refreshContacts,
  refreshCredits,
  refreshMaintenance,
  refreshProbes,
  refreshTeams,
} from './refresh-facts.ts';
import {
  refreshActiveProbes,
  refreshAverage,
  refreshDetail,
  refreshHoursOfDay,
  refreshPerformance,
  refreshTransactionPerformance,
} from './refresh-findings.ts';
import { refreshOutages } from './refresh-outages.ts';
import { refreshResults } from './refresh-results.ts';
import { refreshTransactions } from './refresh-transactions.ts';
import { ServiceTime } from './service-time.ts';

/** How each dataset is refreshed, as far as the API version of the account has it. */
export function createRefreshes(options: Omit<RefreshContext, 'serviceTime'>): Refreshes {
  const context = { ...options, serviceTime: new ServiceTime(options) };
  const reports: PendingReports = new Map();
  const rows: readonly [DatasetName, OperationName, Refresh][] = [
    ['checks', 'list_checks', refreshChecks(context, reports)],
    ['transactions', 'list_transactions', refreshTransactions(context)],
    ['outages', 'list_outages', refreshOutages(context, reports)],
    ['results', 'list_results', refreshResults(context)],
    ['performance', 'get_performance', refreshPerformance(context)],
    ['average', 'get_average', refreshAverage(context)],
    ['hours_of_day', 'get_hours_of_day', refreshHoursOfDay(context)],
    [
      'transaction_performance',
      'get_transaction_performance',
      refreshTransactionPerformance(context),
    ],
    ['detail', 'get_check', refreshDetail(context)],
    ['analyses', 'list_analyses', refreshAnalyses(context)],
    ['active_probes', 'list_active_probes', refreshActiveProbes(context)],
    ['credits', 'get_credits', refreshCredits(context)],
    ['maintenance', 'list_maintenance', refreshMaintenance(context)],
    ['actions', 'list_actions', refreshActions(context)],
    ['probes', 'list_probes', refreshProbes(context)],
    ['contacts', 'list_contacts', refreshContacts(context)],
    ['teams', 'list_teams', refreshTeams(context)],
    ['account', 'get_server_time', refreshAccount(context)],
  ];
  const { capabilities } = context.service;
  return new Map(
    rows
      .filter(([, operation]) => capabilities.has(operation))
      .map(([dataset, , refresh]) => [dataset, refresh]),
  );
}
