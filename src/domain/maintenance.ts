export const recurrences = ['none', 'day', 'week', 'month', 'unknown'] as const;

/** API 3.1, section 2.5. A recurrence the service adds later reads as `unknown`. */
export type Recurrence = (typeof recurrences)[number];

/** A planned maintenance, perhaps a recurring one (API 3.1, section 2.5). Times are UNIX seconds. */
export interface MaintenanceWindow {
  readonly id: number;
  readonly description?: string;
  readonly recurrence: Recurrence;
  /** It recurs every n-th day, week or month. */
  readonly repeatEvery?: number;
  /** Start and end of the first occurrence. */
  readonly startAtSeconds?: number;
  readonly endAtSeconds?: number;
  readonly recurrenceEndAtSeconds?: number;
  readonly checkIds: readonly number[];
  readonly transactionIds: readonly number[];
}

/** When a maintenance window is in effect; UNIX seconds, the end excluded. */
export interface MaintenanceSpan {
  readonly maintenanceId: number;
  readonly startAtSeconds: number;
  readonly endAtSeconds: number;
}

/** A span of a window as the service tells it (API 3.1, section 2.5). */
export interface MaintenanceOccurrence extends MaintenanceSpan {
  readonly id: number;
}
