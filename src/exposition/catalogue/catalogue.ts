import { accountFamilies } from './account-families.ts';
import { checkFamilies } from './check-families.ts';
import type { Family } from './family.ts';
import { recordedFamilies } from './recorded-families.ts';
import { transactionFamilies } from './transaction-families.ts';
import { viewFamilies } from './view-families.ts';

export interface CatalogueSection {
  readonly title: string;
  readonly families: readonly Family[];
}

/** Every family the exporter defines; prom-client's `process_*` and `nodejs_*` come on top. */
export const catalogue: readonly CatalogueSection[] = [
  { title: 'Account', families: accountFamilies },
  { title: 'Checks', families: checkFamilies },
  { title: 'Transactions', families: transactionFamilies },
  { title: 'The exporter', families: [...viewFamilies, ...Object.values(recordedFamilies)] },
];
