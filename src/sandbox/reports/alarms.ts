import type { ConfirmedOutage } from '../history.ts';
import type { SandboxCheck } from '../sandbox-check.ts';
import type { Period } from './period.ts';

/** Something worth a message, to all recipients of the check at once. Times are UNIX seconds. */
export interface Alarm {
  readonly time: number;
  readonly kind: 'down' | 'up';
  /** When the outage began. */
  readonly since: number;
}

/** When messages about a check are sent (API 3.1, section 2.1). */
export interface AlarmRules {
  /** Failed tests until the first message. */
  readonly sendAfter: number;
  /** Further failed tests until each repetition; 0 for none. */
  readonly repeatEvery: number;
  readonly whenBackUp: boolean;
}

/** The rules a check's settings make; what is not set is as for a new check. */
export function alarmRules({ settings }: SandboxCheck): AlarmRules {
  const { sendnotificationwhendown, notifyagainevery, notifywhenbackup } = settings;
  return {
    sendAfter: Number(sendnotificationwhendown ?? fewestFailures),
    repeatEvery: Number(notifyagainevery ?? 0),
    whenBackUp: notifywhenbackup !== false,
  };
}

/** No message is sent of a failure that is not confirmed, and the second failed test confirms it. */
const fewestFailures = 2;

/**
 * What an outage gives occasion to tell in a period, newest first: of a check that is down, as often as the rules say,
 * and of its recovery, where the failure had been told.
 */
export function alarmsOf(
  { start, end, confirmedAt, recovered }: ConfirmedOutage,
  { sendAfter, repeatEvery, whenBackUp }: AlarmRules,
  { from, to }: Period,
): Alarm[] {
  const interval = confirmedAt - start;
  const first = start + (Math.max(fewestFailures, sendAfter) - 1) * interval;
  const over = end ?? Number.POSITIVE_INFINITY;
  if (first >= over) return [];

  const alarms: Alarm[] = [];
  if (recovered && whenBackUp && over >= from && over <= to) {
    alarms.push({ time: over, kind: 'up', since: start });
  }
  const step = repeatEvery * interval;
  const latest = Math.min(to, over - 1);
  const repetitions = step === 0 ? 0 : Math.floor((latest - first) / step);
  for (let n = repetitions; n >= 0; n--) {
    const time = first + n * step;
    if (time < from) break;
    if (time <= latest) alarms.push({ time, kind: 'down', since: start });
  }
  return alarms;
}
