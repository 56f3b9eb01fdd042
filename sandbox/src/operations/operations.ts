import { accountOperations } from './account/account.ts';
import { emailReportOperations } from './account/email-reports.ts';
import { listProbes, readActiveProbes } from './account/probes.ts';
import { publicReportOperations, sharedReportOperations } from './account/published-reports.ts';
import { settingsOperations } from './account/settings.ts';
import {
  createCheck,
  deleteCheck,
  deleteChecks,
  modifyCheck,
  modifyChecks,
} from './checks/check-writes.ts';
import { listChecks, readCheck } from './checks/checks.ts';
import { readSingle, readTraceroute } from './checks/on-demand.ts';
import { windowOperations } from './maintenance/maintenance.ts';
import { occurrenceOperations } from './maintenance/occurrences.ts';
import type { Operation } from './operation.ts';
import { contactsAndTeams } from './people/contacts-and-teams.ts';
import { legacyContacts } from './people/legacy-contacts.ts';
import { usersAndTeams } from './people/users.ts';
import { listActions } from './reports/actions.ts';
import { listAnalyses, readAnalysis } from './reports/analyses.ts';
import { readAverage, readHoursOfDay } from './reports/averages.ts';
import { readOutages } from './reports/outages.ts';
import { readPerformance } from './reports/performance.ts';
import { listResults } from './reports/results.ts';
import {
  reportAllTransactionStates,
  reportTransactionPerformance,
  reportTransactionStates,
} from './transactions/transaction-reports.ts';
import {
  createTransaction,
  deleteTransaction,
  listTransactions,
  modifyTransaction,
  readTransaction,
} from './transactions/transactions.ts';

const checkOperations: readonly Operation[] = [
  listChecks,
  createCheck,
  modifyChecks,
  deleteChecks,
  readCheck,
  modifyCheck,
  deleteCheck,
];

const maintenanceOperations: readonly Operation[] = [...windowOperations, ...occurrenceOperations];

export const reportOperations: readonly Operation[] = [
  listResults,
  readAverage,
  readHoursOfDay,
  readOutages,
  readPerformance,
  readActiveProbes,
  listAnalyses,
  readAnalysis,
  listActions,
  readSingle,
  readTraceroute,
];

const transactionOperations: readonly Operation[] = [
  listTransactions,
  createTransaction,
  readTransaction,
  modifyTransaction,
  deleteTransaction,
  reportAllTransactionStates,
  reportTransactionStates,
  reportTransactionPerformance,
];

/** The recipients of alerts, the same people in all versions. */
const peopleOperations: readonly Operation[] = [
  ...contactsAndTeams,
  ...usersAndTeams,
  ...legacyContacts,
];

const accountReportOperations: readonly Operation[] = [
  ...emailReportOperations,
  ...publicReportOperations,
  ...sharedReportOperations,
  ...settingsOperations,
];

/** Every operation of the simulated service, in all versions. */
export const sandboxOperations: readonly Operation[] = [
  ...checkOperations,
  ...accountOperations,
  ...maintenanceOperations,
  listProbes,
  ...reportOperations,
  ...transactionOperations,
  ...peopleOperations,
  ...accountReportOperations,
];

/** The names for faults and the journal, each once. */
export const sandboxOperationNames: readonly string[] = [
  ...new Set(sandboxOperations.map(({ name }) => name)),
];
