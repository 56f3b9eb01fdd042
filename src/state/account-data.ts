import type { Credits, EmailReport, PublicReport, SharedReport } from '../domain/account.ts';
import type { MaintenanceSpan, MaintenanceWindow } from '../domain/maintenance.ts';
import type { Contact, Team } from '../domain/people.ts';
import type { Probe } from '../domain/results.ts';
import type { TransactionResponseUnit } from '../domain/transaction.ts';

/** What is known of the account as a whole, as it was last read. */
export interface AccountData {
  readonly credits?: Credits;
  readonly probes?: readonly Probe[];
  readonly maintenance?: {
    readonly windows: readonly MaintenanceWindow[];
    readonly occurrences: readonly MaintenanceSpan[];
  };
  readonly contacts?: readonly Contact[];
  readonly teams?: readonly Team[];
  readonly clockOffsetSeconds?: number;
  /** As the data told, where the configuration does not. */
  readonly transactionResponseUnit?: TransactionResponseUnit;
  readonly emailReports?: readonly EmailReport[];
  readonly publicReports?: readonly PublicReport[];
  readonly sharedReports?: readonly SharedReport[];
}
