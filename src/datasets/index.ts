import { type DatasetName, datasetNames, datasetPolicies } from '../domain/dataset.ts';
import { ofItem, type Refresh, type Refreshes } from '../schedule/refresh.ts';
import { AwaitedReports } from '../tally/awaited-reports.ts';
import { accountDataRefreshes } from './account-data.ts';
import { refreshActions } from './actions.ts';
import { refreshAnalyses } from './analyses.ts';
import { refreshAverage } from './average.ts';
import { checkDetailRefreshes } from './check-details.ts';
import { refreshChecks } from './checks.ts';
import { type DeeperPasts, refreshHistory } from './history.ts';
import { type MaintenanceKnowledge, MaintenanceReport } from './maintenance.ts';
import { refreshOutages } from './outages.ts';
import { refreshPerformance } from './performance.ts';
import { type RefreshContext, ServiceTime } from './refresh-context.ts';
import { refreshResults } from './results.ts';
import { refreshTransactionPerformance } from './transaction-performance.ts';
import { refreshTransactions } from './transactions.ts';

export interface CreatedRefreshes extends Refreshes {
  /** Returns whether maintenance is known, so that time in maintenance can be counted. */
  maintenanceKnowledge(): MaintenanceKnowledge;
}

/** Creates the refresh of every dataset that the API version of the account has. */
export function createRefreshes(
  options: Omit<RefreshContext, 'serviceTime'>,
  deeper?: DeeperPasts,
): CreatedRefreshes {
  const context = { ...options, serviceTime: new ServiceTime(options) };
  const reports = new AwaitedReports();
  const maintenance = new MaintenanceReport(context);
  const readOutages = refreshOutages(context, reports);
  const refreshes: Record<DatasetName, Refresh> = {
    ...accountDataRefreshes(context),
    ...checkDetailRefreshes(context),
    checks: refreshChecks(context, reports, maintenance),
    transactions: refreshTransactions(context, maintenance),
    outages: ofItem(readOutages),
    history: refreshHistory(context, { reports, read: readOutages }, deeper),
    results: ofItem(refreshResults(context)),
    performance: ofItem(refreshPerformance(context)),
    average: ofItem(refreshAverage(context)),
    transaction_performance: ofItem(refreshTransactionPerformance(context)),
    analyses: ofItem(refreshAnalyses(context)),
    maintenance: maintenance.refresh,
    actions: refreshActions(context),
  };
  const { capabilities } = context.service;
  const available = datasetNames.filter((name) =>
    capabilities.has(datasetPolicies[name].operation),
  );
  const table = new Map(available.map((name) => [name, refreshes[name]]));
  return Object.assign(table, { maintenanceKnowledge: () => maintenance.knowledge });
}
