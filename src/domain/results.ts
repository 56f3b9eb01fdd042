/** A server that tests are run from (API 3.1, section 2.6). */
export interface Probe {
  readonly id: number;
  readonly name: string;
  readonly country?: string;
  readonly countryIso?: string;
  readonly city?: string;
  readonly region?: string;
  readonly active?: boolean;
}

export const resultStatuses = ['up', 'down', 'unconfirmed_down', 'unknown'] as const;

/** API 3.1, section 3. */
export type ResultStatus = (typeof resultStatuses)[number];

/** The result of one test by one probe (API 3.1, section 2.8), identified by its time and its probe. */
export interface Result {
  readonly atSeconds: number;
  readonly probeId: number;
  readonly status: ResultStatus;
  /** Absent when the target did not answer. */
  readonly responseTimeSeconds?: number;
  /** Why the test failed, as the service describes it; only for a failed test. */
  readonly description?: string;
}

/** That the service looked for the root cause of an error (API 3.1, section 2.3). */
export interface Analysis {
  readonly id: number;
  readonly firstTestAtSeconds?: number;
  readonly confirmTestAtSeconds?: number;
}
