import { formatDuration } from '../config/fields.ts';
import type { RuleParameters } from './parameters.ts';

export type Kind = 'check' | 'transaction';
/** What has a budget. */
export type Scope = Kind | 'group';

type Identity = Pick<RuleParameters, 'identity'>;

/** Labels that identify an account of an exporter on every series. */
export function perAccount({ identity }: Identity): string {
  return ['job', 'instance', 'account', ...identity].join(', ');
}

/** Labels that identify a check or transaction, whatever other labels are promoted. */
export function itemLabels(parameters: Identity): string {
  return `${perAccount(parameters)}, check_id`;
}

/** Labels that identify a target of Prometheus: an exporter, or one of several replicas. */
export function perTarget({ identity }: Identity): string {
  return ['job', 'instance', ...identity].join(', ');
}

/** Labels that exporters and replicas of one job have in common. */
export function jobLabels({ identity }: Identity): string {
  return ['job', ...identity].join(', ');
}

/** Labels that identify an account on any exporter. */
export function anyInstanceLabels({ identity }: Identity): string {
  return ['job', 'account', ...identity].join(', ');
}

/** How many outages of an account are open; absent while its series are missing. */
export function openNumber(kind: Kind): string {
  return `uptime_outages_open{kind="${kind}"}`;
}

/** With this many items down, texts have no query, which would take Prometheus a second. */
export const mostDetailed = 100;

/** A duration in PromQL, divided by `timeDivisor`. */
export function span(seconds: number, { timeDivisor }: Pick<RuleParameters, 'timeDivisor'>) {
  return formatDuration(Math.max(0.001, seconds / timeDivisor));
}

/** A label value as a string of PromQL, which has the escapes of JSON. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Accounts that were readable within 15 minutes: missing data have another cause. */
export function wasReadable(parameters: RuleParameters): string {
  return `min_over_time(uptime_up[${span(900, parameters)}]) == 1`;
}
