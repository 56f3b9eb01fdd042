import type { DatasetName } from '../domain/dataset.ts';
import type { Refresh, RefreshContext, Refreshes } from '../schedule/refresh.ts';
import {
  type MaintenanceKnowledge,
  MaintenanceReading,
} from '../schedule/refreshes/maintenance-reading.ts';
import {
  refreshAccount,
  refreshContacts,
  refreshCredits,
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

export interface CreatedRefreshes extends Refreshes {
  /** What the counting of maintenance rests on. */
  maintenanceKnowledge(): MaintenanceKnowledge;
}

/** How each dataset is refreshed, as far as the API version of the account has it. */
export function createRefreshes(options: Omit<RefreshContext, 'serviceTime'>): CreatedRefreshes {
  const context = { ...options, serviceTime: new ServiceTime(options) };
  const reports: PendingReports = new Map();
  const maintenance = new MaintenanceReading(context);
  const rows: readonly [DatasetName, Refresh][] = [
    ['checks', refreshChecks(context, reports, maintenance)],
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
    ['maintenance', maintenance.refresh],
    ['actions', refreshActions(context)],
    ['probes', refreshProbes(context)],
    ['contacts', refreshContacts(context)],
    ['teams', refreshTeams(context)],
    ['account', refreshAccount(context)],
  ];
  const { capabilities } = context.service;
  const table = rows.filter(([dataset]) => capabilities.has(datasetPolicies[dataset].operation));
  return Object.assign(new Map(table), { maintenanceKnowledge: () => maintenance.knowledge });
}
