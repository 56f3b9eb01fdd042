import type { DatasetName } from '../domain/dataset.ts';
import type { Refresh, RefreshContext, Refreshes } from '../schedule/refresh.ts';
import { AwaitedAnalyses } from '../schedule/refreshes/awaited-analyses.ts';
import {
  refreshAccount,
  refreshContacts,
  refreshCredits,
  refreshMaintenance,
  refreshProbes,
  refreshTeams,
} from './account-data.ts';
import { refreshActions } from './actions.ts';
import { refreshAnalyses } from './analyses.ts';
import { refreshChecks } from './checks.ts';
import {
  refreshActiveProbes,
  refreshAverage,
  refreshDetail,
  refreshHoursOfDay,
  refreshPerformance,
  refreshTransactionPerformance,
} from './item-details.ts';
import { type PendingReports, refreshOutages } from './outages.ts';
import { datasetPolicies } from './policies.ts';
import { ServiceTime } from './refresh-context.ts';
import { refreshResults } from './results.ts';
import { refreshTransactions } from './transactions.ts';

/** How each dataset is refreshed, as far as the API version of the account has it. */
export function createRefreshes(options: Omit<RefreshContext, 'serviceTime'>): Refreshes {
  const context = { ...options, serviceTime: new ServiceTime(options) };
  const reports: PendingReports = new Map();
  const analyses = new AwaitedAnalyses();
  const rows: readonly [DatasetName, Refresh][] = [
    ['checks', refreshChecks(context, reports, analyses)],
    ['transactions', refreshTransactions(context)],
    ['outages', refreshOutages(context, reports, analyses)],
    ['results', refreshResults(context)],
    ['performance', refreshPerformance(context)],
    ['average', refreshAverage(context)],
    ['hours_of_day', refreshHoursOfDay(context)],
    ['transaction_performance', refreshTransactionPerformance(context)],
    ['detail', refreshDetail(context)],
    ['analyses', refreshAnalyses(context, analyses)],
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
