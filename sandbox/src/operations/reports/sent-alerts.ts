import type { SandboxCheck } from '../../account/checks.ts';
import { hashUnit } from '../../lib/hash.ts';
import { day } from '../../lib/instant.ts';
import type { ConfirmedOutage, History } from '../../simulation/history.ts';
import type { Period } from '../readers.ts';

/** The channel of a message (legacy versions, section 2.2). */
export const alertMedia = ['email', 'sms', 'social', 'pusha', 'pushb'] as const;
export type AlertMedium = (typeof alertMedia)[number];

export const alertStatuses = ['sent', 'delivered', 'error', 'notdelivered', 'nocredits'] as const;
type AlertStatus = (typeof alertStatuses)[number];

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
  readonly event: AlertEvent;
  readonly recipient: Recipient;
  readonly status: AlertStatus;
}

/** An event that sends a message to all recipients of the check. Times are UNIX seconds. */
interface AlertEvent {
  readonly time: number;
  readonly kind: 'down' | 'up';
  /** The start of the outage. */
  readonly since: number;
}

/** The rules for messages about a check (API 3.1, section 2.1). */
interface AlertRules {
  /** Failed tests until the first message. */
  readonly sendAfter: number;
  /** Further failed tests until each repetition; 0 for none. */
  readonly repeatEvery: number;
  readonly whenBackUp: boolean;
}

/** The rules from a check's settings; unset ones have the defaults of a new check. */
function alertRulesOf({ settings }: SandboxCheck): AlertRules {
  const { sendnotificationwhendown, notifyagainevery, notifywhenbackup } = settings;
  return {
    sendAfter: Number(sendnotificationwhendown ?? minFailures),
    repeatEvery: Number(notifyagainevery ?? 0),
    whenBackUp: notifywhenbackup !== false,
  };
}

/** An unconfirmed failure sends no message. The second failed test confirms it. */
const minFailures = 2;

/**
 * The events of an outage in a period, newest first: the check is down, as often as the rules
 * require, and its recovery, if the failure sent a message.
 */
export function alertEventsOf(
  { start, end, confirmedAt, resolutionSeconds, recovered }: ConfirmedOutage,
  { sendAfter, repeatEvery, whenBackUp }: AlertRules,
  { from, to }: Period,
): AlertEvent[] {
  const first = confirmedAt + Math.max(0, sendAfter - minFailures) * resolutionSeconds;
  const over = end ?? Number.POSITIVE_INFINITY;
  if (first >= over) return [];

  const alarms: AlertEvent[] = [];
  if (recovered && whenBackUp && over >= from && over <= to) {
    alarms.push({ time: over, kind: 'up', since: start });
  }
  const step = repeatEvery * resolutionSeconds;
  const latest = Math.min(to, over - 1);
  const repetitions = step === 0 ? 0 : Math.floor((latest - first) / step);
  for (let n = repetitions; n >= 0; n--) {
    const time = first + n * step;
    if (time < from) break;
    if (time <= latest) alarms.push({ time, kind: 'down', since: start });
  }
  return alarms;
}

const statusSalt = 61;

/** A check and the recipients of its messages. */
export interface Audience {
  readonly check: SandboxCheck;
  readonly recipients: readonly Recipient[];
}

interface SentAlertsOptions {
  readonly history: History;
  readonly audiences: readonly Audience[];
  readonly period: Period;
  /** UNIX seconds. */
  readonly now: number;
}

/**
 * The messages in a period, newest first, according to the current settings and people. The search
 * goes back in growing spans, because a request for the newest messages of many checks needs only
 * the last day.
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
        .flatMap((outage) => alertEventsOf(outage, alertRulesOf(check), span))
        .map((alarm) => ({ check, alarm, recipients })),
    );
    ofSpan.sort((a, b) => b.alarm.time - a.alarm.time || a.check.id - b.check.id);
    for (const { check, alarm, recipients } of ofSpan) {
      for (const recipient of recipients) {
        yield { check, event: alarm, recipient, status: statusOf(check, alarm, recipient) };
      }
    }
  }
}

function statusOf(check: SandboxCheck, { time }: AlertEvent, { id, via }: Recipient): AlertStatus {
  const chance = hashUnit(check.id, time, id, via.length, statusSalt);
  if (chance < 0.9) return 'delivered';
  if (chance < 0.95) return 'sent';
  if (chance < 0.97) return 'error';
  return chance < 0.99 || via !== 'sms' ? 'notdelivered' : 'nocredits';
}
