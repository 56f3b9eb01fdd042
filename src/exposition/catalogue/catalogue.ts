import { accountFamilies } from './account-families.ts';
import { accountViewFamilies } from './account-view-families.ts';
import { checkListFamilies } from './check-list-families.ts';
import { checkReportFamilies } from './check-report-families.ts';
import { checkTotalFamilies } from './check-total-families.ts';
import { checkErrorBudgetFamilies } from './error-budget-families.ts';
import { exporterViewFamilies } from './exporter-view-families.ts';
import type { CheckFamily, Family } from './family.ts';
import { recordedFamilies } from './recorded-families.ts';
import { transactionFamilies } from './transaction-families.ts';

/** Every family with one or more series for each check. */
export const checkFamilies: readonly CheckFamily[] = [
  ...checkListFamilies,
  ...checkTotalFamilies,
  ...checkErrorBudgetFamilies,
  ...checkReportFamilies,
];

interface CatalogueSection {
  readonly title: string;
  readonly families: readonly Family[];
}

/** Every family of the exporter, except prom-client's `process_*` and `nodejs_*`. */
export const catalogue: readonly CatalogueSection[] = [
  { title: 'Account', families: accountFamilies },
  { title: 'Checks', families: checkFamilies },
  { title: 'Transactions', families: transactionFamilies },
  {
    title: 'The exporter',
    families: [...accountViewFamilies, ...exporterViewFamilies, ...Object.values(recordedFamilies)],
  },
];
