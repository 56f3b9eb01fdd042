import type { Credits, EmailReport, PublicReport, SharedReport } from '../domain/account.ts';
import type { TimeRange } from '../domain/interval.ts';
import type { MaintenanceSpan, MaintenanceWindow } from '../domain/maintenance.ts';
import type { Contact, Team } from '../domain/people.ts';
import type { Probe } from '../domain/results.ts';
import type { TransactionResponseUnit } from '../domain/transaction.ts';

/** An occurrence of a window that is no longer there. */
export interface EndedMaintenance extends MaintenanceSpan {
  readonly checkIds: readonly number[];
  readonly transactionIds: readonly number[];
}

/** What is known of the account as a whole, as it was last read. Snapshots show all of it. */
export interface AccountData {
  readonly credits?: Credits;
  readonly probes?: readonly Probe[];
  readonly maintenance?: {
    readonly windows: readonly MaintenanceWindow[];
    readonly occurrences: readonly MaintenanceSpan[];
    /** Occurrences that were over when their window was deleted, of the last 35 days. */
    readonly ended?: readonly EndedMaintenance[];
    /** By check: what was counted as maintenance and is none any more, so that it is never counted twice. */
    readonly counted?: { readonly [checkId: string]: readonly TimeRange[] };
  };
  readonly contacts?: readonly Contact[];
  readonly teams?: readonly Team[];
  /** The service's clock less ours. */
  readonly clockOffsetSeconds?: number;
  /** As the data showed, where the configuration does not. */
  readonly transactionResponseUnit?: TransactionResponseUnit;
  readonly emailReports?: readonly EmailReport[];
  readonly publicReports?: readonly PublicReport[];
  readonly sharedReports?: readonly SharedReport[];
}
