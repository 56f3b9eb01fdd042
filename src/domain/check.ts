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

/** The nine kinds of uptime check (API 3.1, section 2.1), and `unknown` for later ones. */
export type CheckType = (typeof checkTypes)[number] | 'unknown';

export const checkStatuses = ['up', 'down', 'unconfirmed_down', 'unknown', 'paused'] as const;

/** API 3.1, section 2.1. A status that the service adds later reads as `unknown`. */
export type CheckStatus = (typeof checkStatuses)[number];

/** Returns whether the last test failed, confirmed or not. Only confirmed ones count as down. */
export function lastTestFailed(status: CheckStatus): boolean {
  return status === 'down' || status === 'unconfirmed_down';
}

/** Whether the service tests the check. A paused or unknown one may be untested for weeks. */
export function isTested(status: CheckStatus): boolean {
  return status !== 'paused' && status !== 'unknown';
}

export interface CheckTag {
  readonly name: string;
  /** `user` for a tag set by a person, `auto` for one set by the service. */
  readonly source: 'user' | 'auto';
}

/**
 * An uptime check as in the check list. Times are UNIX seconds. A field that the service omits is
 * absent: a check that was never tested has none of the `last…` fields.
 */
export interface Check {
  readonly id: number;
  readonly name: string;
  readonly type: CheckType;
  readonly status: CheckStatus;
  readonly hostname?: string;
  readonly severity?: string;
  readonly ipv6?: boolean;
  readonly tags: readonly CheckTag[];
  readonly resolutionSeconds?: number;
  readonly createdAtSeconds?: number;
  readonly lastTestAtSeconds?: number;
  readonly lastErrorAtSeconds?: number;
  readonly lastDownStartAtSeconds?: number;
  readonly lastDownEndAtSeconds?: number;
  readonly lastResponseTimeSeconds?: number;
}

/** The kind of each field. The compiler requires every field of `Check` here. */
const fieldKinds = {
  id: 'identity',
  status: 'status',
  name: 'setting',
  type: 'setting',
  hostname: 'setting',
  severity: 'setting',
  ipv6: 'setting',

  tags: 'setting',
  resolutionSeconds: 'setting',
  createdAtSeconds: 'setting',
  lastTestAtSeconds: 'test',
  lastErrorAtSeconds: 'test',
  lastDownStartAtSeconds: 'test',
  lastDownEndAtSeconds: 'test',
  lastResponseTimeSeconds: 'test',
} as const satisfies Record<keyof Check, string>;

type FieldKind = (typeof fieldKinds)[keyof Check];
type FieldOf<Kind extends FieldKind> = {
  [Name in keyof Check]-?: (typeof fieldKinds)[Name] extends Kind ? Name : never;
}[keyof Check];

/** Settings, which rarely change and are the largest part of an entry. */
export const checkSettings = fieldsOf('setting');
/** Times and durations of the last tests. Like the status, they may change with every list. */
export const checkMeasurements = fieldsOf('test');

function fieldsOf<Kind extends FieldKind>(kind: Kind): readonly FieldOf<Kind>[] {
  const names = Object.keys(fieldKinds) as FieldOf<Kind>[];
  return names.filter((name) => fieldKinds[name] === kind);
}

export const recipientKinds = ['user', 'team', 'integration', 'contact'] as const;

/** The kinds of recipient that are notified when a check or a transaction fails. */
type RecipientKind = (typeof recipientKinds)[number];

/** The number of recipients of each kind. A kind that the service omits is absent. */
export type RecipientCounts = { readonly [K in RecipientKind]?: number };

/** The settings of a check (API 3.1, section 2.1), without credentials and bodies. */
export interface CheckDetail extends Check {
  /** A response that takes longer counts as down. */
  readonly responseTimeThresholdSeconds?: number;
  /** A certificate that expires within this time counts as down. Absent without verification. */
  readonly certificateWarningSeconds?: number;
  readonly recipients: RecipientCounts;
}

/** The UNIX time of the last failure in an entry of the list; 0 without one. */
export function lastFailureOf({
  lastErrorAtSeconds = 0,
  lastDownStartAtSeconds = 0,
  lastDownEndAtSeconds = 0,
}: Pick<Check, 'lastErrorAtSeconds' | 'lastDownStartAtSeconds' | 'lastDownEndAtSeconds'>): number {
  return Math.max(lastErrorAtSeconds, lastDownStartAtSeconds, lastDownEndAtSeconds);
}
