import { formatDuration } from '../config/fields.ts';
import type { RuleParameters } from './parameters.ts';

export type Kind = 'check' | 'transaction';

/** What identifies a check or transaction on every series, whatever other labels are promoted. */
export const item = 'job, instance, account, check_id';
export const account = 'job, instance, account';

const minute = 60;
const day = 86_400;

/** A duration in an expression; divided for a test. */
export function span(seconds: number, { timeDivisor }: Pick<RuleParameters, 'timeDivisor'>) {
  return formatDuration(Math.max(0.001, seconds / timeDivisor));
}

/**
 * Outages as they are known. While there are no data of the account, because the exporter is down, what was
 * open last stays open for a day: a check is not reported as up just because it is no longer monitored.
 */
export function openOutages(kind: Kind, parameters: RuleParameters): string {
  const open = `uptime_${kind}_outage_open`;
  return `${open} == 1
or (last_over_time(${open}[${span(day, parameters)}]) == 1 unless on (job, account) uptime_up)`;
}

/** How often each outage of the last while has ended. */
export function outagesEnded(kind: Kind, parameters: RuleParameters): string {
  const { within, up_for: upFor } = parameters.thresholds.flapping;
  const [range, hold, step] = [within, upFor, minute].map((seconds) => span(seconds, parameters));
  return `max_over_time(resets(uptime_${kind}_outage_open[${range}])[${hold}:${step}])`;
}

/** Checks that went up too often of late, and have not been up for long enough since. */
export function flapping(kind: Kind, parameters: RuleParameters): string {
  const { outages, up_for: upFor } = parameters.thresholds.flapping;
  // A check that is gone, paused or in maintenance has no error ratio over 5m: it is not held.
  return `${outagesEnded(kind, parameters)} >= ${outages}
  and max_over_time(uptime_${kind}_outage_open[${span(upFor, parameters)}]) == 1
  and ignoring (window) uptime_${kind}_error_ratio{window="5m"}`;
}

/**
 * What was firing at the last evaluation keeps firing while there are no data of the account, for up to a day. An
 * account that the exporter no longer has serves its outages as ended, and no `uptime_up`. Without a range, as
 * what has resolved is marked as stale and must not come back.
 */
export function heldWhileAway(alert: string, labels: string, parameters: RuleParameters): string {
  return `(
  max without (alertname, alertstate) (ALERTS{alertname="${alert}", alertstate="firing", ${labels}})
  and on (job, account) last_over_time(uptime_up[${span(day, parameters)}])
  unless on (job, account) {__name__=~"uptime_up|uptime_(check|transaction)_outage_open"}
)`;
}

/** Accounts that have been read throughout: data missing from them have another cause. */
export function wasReadable(parameters: RuleParameters): string {
  return `min_over_time(uptime_up[${span(15 * minute, parameters)}]) == 1`;
}

/** Counters that rose of late; also those that were above 0 when they were first seen. */
export function rose(counter: string, seconds: number, parameters: RuleParameters): string {
  const range = span(seconds, parameters);
  return `(increase(${counter}[${range}]) > 0 or (${counter} > 0 unless ${counter} offset ${range}))`;
}
