import type { SandboxCheck } from '../sandbox-check.ts';
import type { Alarm } from './alarms.ts';

/** How a message reached somebody (legacy versions, section 2.2). */
export const alertMedia = ['email', 'sms', 'social', 'pusha', 'pushb'] as const;
export type AlertMedium = (typeof alertMedia)[number];

export const alertStatuses = ['sent', 'delivered', 'error', 'notdelivered', 'nocredits'] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** A person and one address of theirs. */
export interface Recipient {
  readonly id: number;
  readonly name: string;
  readonly via: AlertMedium;
  readonly address: string;
}

/** A message that was sent. */
export interface SentAlert {
  readonly check: SandboxCheck;
  readonly alarm: Alarm;
  readonly recipient: Recipient;
  readonly status: AlertStatus;
}
