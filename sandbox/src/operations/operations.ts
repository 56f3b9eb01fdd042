import { accountOperations } from './account/account.ts';
import { emailReportOperations } from './account/email-reports.ts';
import { listProbes, readActiveProbes } from './account/probes.ts';
import { publicReportOperations, sharedReportOperations } from './account/published-reports.ts';
import { settingsOperations } from './account/settings.ts';
import { writesOfChecks, writesOfOneCheck } from './checks/check-writes.ts';
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
import { transactionReportOperations } from './transactions/transaction-reports.ts';
import { transactionOperations } from './transactions/transactions.ts';

/** Every operation of the simulated service, in all versions. */
export const sandboxOperations: readonly Operation[] = [
  listChecks,
  ...writesOfChecks,
  readCheck,
  ...writesOfOneCheck,
  ...accountOperations,
  ...windowOperations,
  ...occurrenceOperations,
  listProbes,
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
  ...transactionOperations,
  ...transactionReportOperations,
  ...contactsAndTeams,
  ...usersAndTeams,
  ...legacyContacts,
  ...emailReportOperations,
  ...publicReportOperations,
  ...sharedReportOperations,
  ...settingsOperations,
];

/** The names for faults and the journal, each once. */
export const sandboxOperationNames: readonly string[] = [
  ...new Set(sandboxOperations.map(({ name }) => name)),
];
