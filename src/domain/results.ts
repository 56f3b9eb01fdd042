import { z } from 'zod';

export const probeSchema = z
  .object({
    id: z.number().int(),
    name: z.string(),
    country: z.string().exactOptional(),
    countryIso: z.string().exactOptional(),
    city: z.string().exactOptional(),
    region: z.string().exactOptional(),
    active: z.boolean().exactOptional(),
  })
  .readonly();

/** A server that runs tests (API 3.1, section 2.6). */
export type Probe = z.infer<typeof probeSchema>;

export const resultStatuses = ['up', 'down', 'unconfirmed_down', 'unknown'] as const;

/** API 3.1, section 3. */
export type ResultStatus = (typeof resultStatuses)[number];

/** One test by one probe (API 3.1, section 2.8), identified by time and probe. */
export interface Result {
  readonly atSeconds: number;
  readonly probeId: number;
  readonly status: ResultStatus;
  /** Absent when the target did not respond. */
  readonly responseTimeSeconds?: number;
  /** Why the test failed, in the service's words. Present only for a failed test. */
  readonly description?: string;
}

/** The service's analysis of the root cause of an error (API 3.1, section 2.3). */
export interface Analysis {
  readonly id: number;
  readonly firstTestAtSeconds?: number;
  readonly confirmTestAtSeconds?: number;
}
