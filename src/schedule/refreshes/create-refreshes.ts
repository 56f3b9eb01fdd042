import type { DatasetName } from '../../domain/dataset.ts';
import { datasetPolicies } from '../datasets.ts';
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
  const rows: readonly [DatasetName, Refresh][] = [
    ['checks', refreshChecks(context, reports)],
    ['transactions', refreshTransactions(context)],
    ['outages', refreshOutages(context, reports)],
    ['results', refreshResults(context)],
    ['performance', refreshPerformance(context)],
    ['average', refreshAverage(context)],
    ['hours_of_day', refreshHoursOfDay(context)],
    ['transaction_performance', refreshTransactionPerformance(context)],
    ['detail', refreshDetail(context)],
    ['analyses', refreshAnalyses(context)],
    ['active_probes', refreshActiveProbes(context)],
    ['credits', refreshCredits(context)],
    ['maintenance', refreshMaintenance(context)],
    ['actions', refreshActions(context)],
    ['probes', refreshProbes(context)],
    ['contacts', refreshContacts(context)],
    ['teams', refreshTeams(context)],
    ['account', refreshAccount(context)],
  ];
  const { capabilities } = context.service;
  return new Map(rows.filter(([dataset]) => capabilities.has(datasetPolicies[dataset].operation)));
}
