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

/**
 * An alert that was sent (API 3.1, section 2.2). Its recipient and text are not read. Alerts have
 * no identity: two equal ones are two alerts.
 */
export interface Action {
  readonly atSeconds: number;
  readonly checkId?: number;
  readonly via: AlertMedium;
  readonly status: AlertStatus;
}
