import type { EmailReport, PublicReport, SharedReport } from '../domain/account-reports.ts';
import type { Contact } from '../domain/contact.ts';
import type { Credits } from '../domain/credits.ts';
import type { MaintenanceSpan, MaintenanceWindow } from '../domain/maintenance.ts';
import type { Probe } from '../domain/probe.ts';
import type { Team } from '../domain/team.ts';

/** What is known of the account as a whole, as it was last read. */
export interface AccountFacts {
  readonly credits?: Credits;
  readonly probes?: readonly Probe[];
  readonly maintenance?: {
    readonly windows: readonly MaintenanceWindow[];
    readonly occurrences: readonly MaintenanceSpan[];
  };
  readonly contacts?: readonly Contact[];
  readonly teams?: readonly Team[];
  readonly clockOffsetSeconds?: number;
  readonly emailReports?: readonly EmailReport[];
  readonly publicReports?: readonly PublicReport[];
  readonly sharedReports?: readonly SharedReport[];
}
