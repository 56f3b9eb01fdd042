import type { TimeRange } from './interval.ts';
import type { EndedMaintenance, MaintenanceSpan, MaintenanceWindow } from './maintenance.ts';
import type { Contact, Team } from './people.ts';
import type { Probe } from './results.ts';
import type { TransactionResponseUnit } from './transaction.ts';

export const reportFrequencies = ['daily', 'weekly', 'monthly', 'unknown'] as const;
type ReportFrequency = (typeof reportFrequencies)[number];

/** A report that is sent by e-mail (API 2.x, section 2.5). Its recipients are not read. */
export interface EmailReport {
  readonly id: number;
  readonly frequency: ReportFrequency;
  /** Absent for an overview of all checks. */
  readonly checkId?: number;
}

/** A check whose report anyone can read (API 2.x, section 2.5). */
export interface PublicReport {
  readonly checkId: number;
}

export const sharedReportTypes = ['response', 'uptime', 'unknown'] as const;
type SharedReportType = (typeof sharedReportTypes)[number];

/** A banner that shows a check elsewhere (API 2.x, section 2.5). Its id and address are not read. */
export interface SharedReport {
  readonly checkId: number;
  readonly type: SharedReportType;
}

/** What the account's plan allows and has left (API 3.1, section 2.4). What the service did not say is absent. */
export interface Credits {
  readonly checkLimit?: number;
  readonly checksAvailable?: number;
  readonly defaultChecksUsed?: number;
  readonly transactionChecksUsed?: number;
  readonly smsAvailable?: number;
  readonly smsTestsAvailable?: number;
  readonly smsAutofillEnabled?: boolean;
  readonly smsAutofillAmount?: number;
  readonly smsAutofillThreshold?: number;
  /** Absent also when overage is switched off (the service then says null). */
  readonly smsOverageLimit?: number;
  readonly rumSitesAvailable?: number;
  readonly rumSitesUsed?: number;
  readonly rumFiltersLimit?: number;
  readonly rumPageviewsLimit?: number;
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
