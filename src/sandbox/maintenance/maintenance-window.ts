import type { Recurrence } from './recurrence.ts';

/** A maintenance window of the account (API 3.1, section 2.5). */
export interface MaintenanceWindow extends Recurrence {
  readonly id: number;
  readonly description: string;
  /** Identifiers of checks. */
  readonly uptimeids: readonly number[];
  /** Identifiers of transaction checks. */
  readonly tmsids: readonly number[];
}

/** One time a window happens, or will. UNIX seconds. */
export interface Occurrence {
  readonly id: number;
  readonly maintenanceid: number;
  readonly from: number;
  readonly to: number;
}
