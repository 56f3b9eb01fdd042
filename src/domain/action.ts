export const alertMedia = ['email', 'sms', 'social', 'pusha', 'pushb', 'unknown'] as const;

/** API 2.x, section 2.2. A medium that the service adds later reads as `unknown`. */
export type AlertMedium = (typeof alertMedia)[number];

export const alertStatuses = [
  'sent',
  'delivered',
  'error',
  'not_delivered',
  'no_credits',
  'pending',
  'unknown',
] as const;

/** API 2.x, section 2.2. A status that the service adds later reads as `unknown`. */
export type AlertStatus = (typeof alertStatuses)[number];

/** A sent alert (API 3.1, section 2.2), without recipient and text. Equal ones are separate. */
export interface Action {
  readonly atSeconds: number;
  readonly checkId?: number;
  readonly via: AlertMedium;
  readonly status: AlertStatus;
}
