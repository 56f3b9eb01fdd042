export const contactTypes = ['user', 'contact', 'unknown'] as const;
type ContactType = (typeof contactTypes)[number];

export const targetMedia = ['email', 'sms', 'apns', 'agcm', 'social', 'pusha', 'pushb'] as const;

/** How a contact can be reached (API 3.1, section 2.10; API 2.x, sections 2.3 and 2.4). */
export type TargetMedium = (typeof targetMedia)[number];

export const targetSeverities = ['high', 'low', 'unknown'] as const;
type TargetSeverity = (typeof targetSeverities)[number];

/** How many targets of one kind a contact has. */
export interface TargetCount {
  readonly medium: TargetMedium;
  readonly severity: TargetSeverity;
  readonly count: number;
}

/**
 * A person who is notified of outages: a contact of 3.1 or 2.0, a user of 2.1. Names, addresses and
 * numbers are not read.
 */
export interface Contact {
  readonly id: number;
  readonly type: ContactType;
  readonly paused?: boolean;
  readonly owner?: boolean;
  /** Each pair of medium and severity at most once. */
  readonly targets: readonly TargetCount[];
}

/** A group of people who are told together (API 3.1, section 2.10). Its members are counted, not named. */
export interface Team {
  readonly id: number;
  readonly name: string;
  readonly memberCount?: number;
}
