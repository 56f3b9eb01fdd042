export const resultStatuses = ['up', 'down', 'unconfirmed_down', 'unknown'] as const;

/** API 3.1, section 3. */
export type ResultStatus = (typeof resultStatuses)[number];

/** What one probe found at one moment (API 3.1, section 2.8). Identified by its time and its probe. */
export interface Result {
  readonly atSeconds: number;
  readonly probeId: number;
  readonly status: ResultStatus;
  /** Absent when the target did not answer. */
  readonly responseTimeSeconds?: number;
  readonly analysisId?: number;
}
