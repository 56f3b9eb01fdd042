import { z } from 'zod';
import { keysOf } from '../lib/present.ts';
import { id, optional, type TypeOf } from '../lib/schema.ts';

export const checkTypes = [
  'http',
  'httpcustom',
  'tcp',
  'ping',
  'dns',
  'udp',
  'smtp',
  'pop3',
  'imap',
] as const;

export const checkTypeSchema = z.enum([...checkTypes, 'unknown']);
/** The nine kinds of uptime check (API 3.1, section 2.1), and `unknown` for later ones. */
export type CheckType = TypeOf<typeof checkTypeSchema>;

export const checkStatuses = ['up', 'down', 'unconfirmed_down', 'unknown', 'paused'] as const;

/** API 3.1, section 2.1. A status that the service adds later reads as `unknown`. */
export type CheckStatus = (typeof checkStatuses)[number];

export const listedStatuses = [...checkStatuses, 'unconfirmed_up'] as const;

/**
 * A status in the list. Users report `unconfirmed_up` of checks whose last test is the first good one
 * after an outage; the documents do not have it.
 */
export type ListedStatus = (typeof listedStatuses)[number];

/** The status that is shown: whether a check is up again is unknown until the next test. */
export function shownStatus(status: ListedStatus): CheckStatus {
  return status === 'unconfirmed_up' ? 'unknown' : status;
}

/** Returns whether the last test failed, confirmed or not. Only confirmed ones count as down. */
export function lastTestFailed(status: ListedStatus): boolean {
  return status === 'down' || status === 'unconfirmed_down';
}

/** Whether only the next test decides what the last one meant. */
export function isUnconfirmed(
  status: ListedStatus,
): status is 'unconfirmed_down' | 'unconfirmed_up' {
  return status === 'unconfirmed_down' || status === 'unconfirmed_up';
}

/** Whether the service tests the check. A paused or unknown one may be untested for weeks. */
export function isTested(status: ListedStatus): boolean {
  return status !== 'paused' && status !== 'unknown';
}

/** An item has a handful of tags (API 3.1, section 8). More would inflate the exposition. */
export const maxTags = 100;

export const checkTagSchema = z.object({
  name: z.string(),
  /** `user` for a tag set by a person, `auto` for one set by the service. */
  source: z.enum(['user', 'auto']),
});
export type CheckTag = TypeOf<typeof checkTagSchema>;

/** Settings, which rarely change and are the largest part of an entry. */
const settings = {
  name: z.string(),
  type: checkTypeSchema,
  hostname: optional.text,
  severity: optional.text,
  ipv6: optional.flag,
  tags: z.array(checkTagSchema),
  resolutionSeconds: optional.amount,
  createdAtSeconds: optional.amount,
};
/**
 * Times and durations of the last tests. Like the status, they may change with every list. They are
 * stored by their positions, so a new one is the last.
 */
const measurements = {
  lastTestAtSeconds: optional.amount,
  lastErrorAtSeconds: optional.amount,
  lastDownStartAtSeconds: optional.amount,
  lastDownEndAtSeconds: optional.amount,
  lastResponseTimeSeconds: optional.amount,
};
export const checkSettingsSchema = z.object({ id, ...settings });
const checkSchema = checkSettingsSchema.extend({ status: z.enum(listedStatuses), ...measurements });

/**
 * An uptime check as in the check list. Times are UNIX seconds. A field that the service omits is
 * absent: a check that was never tested has none of the `last…` fields.
 */
export interface Check extends TypeOf<typeof checkSchema> {}

export const checkSettings = keysOf(settings);
export const checkMeasurements = keysOf(measurements);

export const recipientKinds = ['user', 'team', 'integration', 'contact'] as const;

/** The number of recipients of each kind. A kind that the service omits is absent. */
const recipientCounts = z.object({
  user: optional.amount,
  team: optional.amount,
  integration: optional.amount,
  contact: optional.amount,
} satisfies Record<(typeof recipientKinds)[number], z.ZodType>);
export type RecipientCounts = TypeOf<typeof recipientCounts>;

/** Settings that only the response about one check has (API 3.1, section 2.1). */
export const alertSettingsSchema = z.object({
  /** A response that takes longer counts as down. */
  responseTimeThresholdSeconds: optional.amount,
  /** A certificate that expires within this time counts as down. Absent without verification. */
  certificateWarningSeconds: optional.amount,
  /** Who is notified when the check fails. */
  recipients: recipientCounts,
});
export type CheckAlertSettings = TypeOf<typeof alertSettingsSchema>;

/** The UNIX time of the last failure in an entry of the list; 0 without one. */
export function lastFailureOf({
  lastErrorAtSeconds = 0,
  lastDownStartAtSeconds = 0,
  lastDownEndAtSeconds = 0,
}: Pick<Check, 'lastErrorAtSeconds' | 'lastDownStartAtSeconds' | 'lastDownEndAtSeconds'>): number {
  return Math.max(lastErrorAtSeconds, lastDownStartAtSeconds, lastDownEndAtSeconds);
}
