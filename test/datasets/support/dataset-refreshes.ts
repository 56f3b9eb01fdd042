import { refreshHistory } from '../../../src/datasets/history.ts';
import type { MaintenanceReport } from '../../../src/datasets/maintenance.ts';
import type { RefreshContext } from '../../../src/datasets/refresh-context.ts';
import { refreshResults } from '../../../src/datasets/results.ts';
import { refreshTransactions } from '../../../src/datasets/transactions.ts';
import { nothingLeft } from '../../../src/schedule/refresh.ts';
import { AwaitedReports } from '../../../src/tally/awaited-reports.ts';

/** The refresh of the transactions by itself, by default with known maintenance. */
export function transactionsRefresh(
  context: RefreshContext,
  maintenance: Pick<MaintenanceReport, 'isKnownFor'> = { isKnownFor: async () => true },
) {
  return refreshTransactions(context, maintenance);
}

/** The refresh of the past of checks by itself. */
export function historyRefresh(context: RefreshContext) {
  const reports = new AwaitedReports();
  return refreshHistory(context, { reports, read: async () => nothingLeft });
}

/** The refresh of results by itself. */
export function resultsRefresh(context: RefreshContext) {
  return refreshResults(context);
}
