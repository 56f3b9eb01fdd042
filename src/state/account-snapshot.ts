import type { EmailReport, PublicReport, SharedReport } from '../domain/account-reports.ts';
import type { AlertMedium, AlertStatus } from '../domain/action.ts';
import type { ApiVersion } from '../domain/api-version.ts';
import type { Contact } from '../domain/contact.ts';
import type { Credits } from '../domain/credits.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { MaintenanceSpan, MaintenanceWindow } from '../domain/maintenance.ts';
import type { Probe } from '../domain/probe.ts';
import type { Team } from '../domain/team.ts';
import type { CheckRow } from './check-row.ts';
import type { DatasetStatus } from './dataset-status.ts';
import type { TransactionRow } from './transaction-row.ts';

/**
 * All that is known of one account at one moment; immutable. What is not known is absent. Whether a
 * dataset is too old to be shown stands in `datasets`; its totals are shown all the same. A check that
 * did not change from one snapshot to the next is the same object in both.
 */
export interface AccountSnapshot {
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly baseUrl: string;
  /** The last refresh of the check list worked and is not stale. */
  readonly up: boolean;
  /** Ordered by id, each id once. */
  readonly checks?: readonly CheckRow[];
  /** Ordered by id, each id once. */
  readonly transactions?: readonly TransactionRow[];
  readonly credits?: Credits;
  readonly probes?: readonly Probe[];
  readonly maintenance?: Maintenance;
  readonly alertsSent?: readonly AlertTotal[];
  readonly contacts?: readonly Contact[];
  readonly teams?: readonly Team[];
  /** The service's clock less ours. */
  readonly clockOffsetSeconds?: number;
  readonly emailReports?: readonly EmailReport[];
  readonly publicReports?: readonly PublicReport[];
  readonly sharedReports?: readonly SharedReport[];
  /** The datasets that are refreshed; the check list always is. */
  readonly datasets: DatasetStatuses;
}

export type DatasetStatuses = { readonly checks: DatasetStatus } & {
  readonly [D in DatasetName]?: DatasetStatus;
};

/** The same object from one snapshot to the next while it holds. */
export interface Maintenance {
  readonly windows: readonly MaintenanceWindow[];
  /** By window, the occurrence that lasts or else the one that comes next; absent where none is known. */
  readonly next: ReadonlyMap<number, MaintenanceSpan>;
  /** Ids of the windows that are in effect now. */
  readonly activeIds: ReadonlySet<number>;
}

/** Alerts that were sent because of one check since it was first seen; it only grows. */
export interface AlertTotal {
  readonly checkId: number;
  readonly checkName: string;
  readonly via: AlertMedium;
  readonly status: AlertStatus;
  readonly count: number;
}
