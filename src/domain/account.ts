import { z } from 'zod';
import type { Maintenance } from './maintenance.ts';
import { contactSchema, teamSchema } from './people.ts';
import { probeSchema } from './results.ts';
import { transactionResponseUnits } from './transaction.ts';

const id = z.number().int();
const number = z.number().exactOptional();

export const reportFrequencies = ['daily', 'weekly', 'monthly', 'unknown'] as const;

const emailReport = z
  .object({
    id,
    frequency: z.enum(reportFrequencies),
    /** Absent in an overview of all checks. */
    checkId: id.exactOptional(),
  })
  .readonly();

/** A report that is sent by e-mail (API 2.x, section 2.5). Its recipients are not read. */
export type EmailReport = z.infer<typeof emailReport>;

const publicReport = z.object({ checkId: id }).readonly();

/** A check whose report anyone can read (API 2.x, section 2.5). */
export type PublicReport = z.infer<typeof publicReport>;

export const sharedReportTypes = ['response', 'uptime', 'unknown'] as const;

const sharedReport = z.object({ checkId: id, type: z.enum(sharedReportTypes) }).readonly();

/** A banner with a check on another site (API 2.x, section 2.5). Only the check is read. */
export type SharedReport = z.infer<typeof sharedReport>;

const credits = z
  .object({
    checkLimit: number,
    checksAvailable: number,
    defaultChecksUsed: number,
    transactionChecksUsed: number,
    smsAvailable: number,
    smsTestsAvailable: number,
    smsAutofillEnabled: z.boolean().exactOptional(),
    smsAutofillAmount: number,
    smsAutofillThreshold: number,
    /** Also absent if overage is switched off, because the service then sends null. */
    smsOverageLimit: number,
    rumSitesAvailable: number,
    rumSitesUsed: number,
    rumFiltersLimit: number,
    rumPageviewsLimit: number,
  })
  .readonly();

/** The limits and remaining allowances of the plan (API 3.1, section 2.4), as far as sent. */
export type Credits = z.infer<typeof credits>;

/**
 * The data of the account as a whole, which are in memory, in snapshots and in the store. Stored
 * data that do not match the schema are fetched again. Maintenance is stored separately.
 */
export const accountDataSchema = z.object({
  credits: credits.exactOptional(),
  probes: z.array(probeSchema).readonly().exactOptional(),
  contacts: z.array(contactSchema).readonly().exactOptional(),
  teams: z.array(teamSchema).readonly().exactOptional(),
  /** The service's clock minus this machine's clock, in seconds. */
  clockOffsetSeconds: number,
  /** The unit detected from the data; absent if the configuration sets it. */
  transactionResponseUnit: z.enum(transactionResponseUnits).exactOptional(),
  emailReports: z.array(emailReport).readonly().exactOptional(),
  publicReports: z.array(publicReport).readonly().exactOptional(),
  sharedReports: z.array(sharedReport).readonly().exactOptional(),
});

export interface AccountData extends Readonly<z.infer<typeof accountDataSchema>> {
  readonly maintenance?: Maintenance;
}
