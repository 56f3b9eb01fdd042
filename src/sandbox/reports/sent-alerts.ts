import { hashUnit } from '../../lib/random.ts';
import type { History } from '../history.ts';
import type { SandboxCheck } from '../sandbox-check.ts';
import { type Alarm, alarmRules, alarmsOf } from './alarms.ts';
import type { AlertStatus, Recipient, SentAlert } from './alert.ts';
import type { Period } from './period.ts';
import { day } from './spans-of-time.ts';

const statusSalt = 61;

/** A check and those who get messages about it. */
export interface Audience {
  readonly check: SandboxCheck;
  readonly recipients: readonly Recipient[];
}

export interface SentAlertsOptions {
  readonly history: History;
  readonly audiences: readonly Audience[];
  readonly period: Period;
  /** UNIX seconds. */
  readonly now: number;
}

/**
 * The messages sent in a period, newest first, as the present settings and people make them. It looks back over
 * longer and longer spans, because who asks for the newest of many checks needs no more than the last day.
 */
export function* sentAlerts({
  history,
  audiences,
  period,
  now,
}: SentAlertsOptions): Generator<SentAlert> {
  const earliest = audiences.reduce((time, { check }) => Math.min(time, check.created), now);
  const from = Math.max(period.from, earliest);
  let length = day;
  for (let to = period.to; to >= from; to -= length, length *= 2) {
    const span = { from: Math.max(from, to - length + 1), to };
    const ofSpan = audiences.flatMap(({ check, recipients }) =>
      [...history.outages(check, span.from, span.to, now)]
        .flatMap((outage) => alarmsOf(outage, alarmRules(check), span))
        .map((alarm) => ({ check, alarm, recipients })),
    );
    ofSpan.sort((a, b) => b.alarm.time - a.alarm.time || a.check.id - b.check.id);
    for (const { check, alarm, recipients } of ofSpan) {
      for (const recipient of recipients) {
        yield { check, alarm, recipient, status: statusOf(check, alarm, recipient) };
      }
    }
  }
}

function statusOf(check: SandboxCheck, { time }: Alarm, { id, via }: Recipient): AlertStatus {
  const chance = hashUnit(check.id, time, id, via.length, statusSalt);
  if (chance < 0.9) return 'delivered';
  if (chance < 0.95) return 'sent';
  if (chance < 0.97) return 'error';
  return chance < 0.99 || via !== 'sms' ? 'notdelivered' : 'nocredits';
}
