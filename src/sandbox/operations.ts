import { accountDataOperations } from './account-data/account-data-operations.ts';
import { accountReportOperations } from './account-reports/account-report-operations.ts';
import { checkOperations } from './checks/check-operations.ts';
import { maintenanceOperations } from './maintenance/maintenance-operations.ts';
import type { Operation } from './operation.ts';
import { peopleOperations } from './people/people-operations.ts';
import { readCredits } from './read-credits.ts';
import { reportOperations } from './reports/report-operations.ts';
import { transactionOperations } from './transactions/transaction-operations.ts';

/** Every operation of the simulated service, in all versions. */
export const operations: readonly Operation[] = [
  ...checkOperations,
  readCredits,
  ...maintenanceOperations,
  ...accountDataOperations,
  ...reportOperations,
  ...transactionOperations,
  ...peopleOperations,
  ...accountReportOperations,
];

/** Each names a kind of request for faults and in the journal. */
export const operationNames: readonly string[] = operations.map(({ name }) => name);
