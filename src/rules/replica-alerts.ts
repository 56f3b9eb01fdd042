import type { RuleParameters } from './parameters.ts';
import { anyInstanceLabels, jobLabels, perTarget, quoted, span } from './promql.ts';
import type { AlertRule, RecordingRule, RuleGroup } from './rule.ts';

/** 1 on the replica that polls the account, 0 on the others that have it in their configuration. */
const held = 'uptime_exporter_lease_held';
/** Takes by a replica from a holder that had not released the account; from 0 in each process. */
const expiredTakes = 'uptime_exporter_lease_expired_takes_total';
const reachable = 'uptime_exporter_database_up';
/** The accounts of each replica; kept while the replica is down. */
const configured = 'uptime:replica_accounts:configured';

/** Replicas share accounts through a database. Without replicas these families do not exist. */
export function replicaAlerts(parameters: RuleParameters): RuleGroup {
  const rules = [
    withoutHolder(parameters),
    ownershipFlapping(parameters),
    databaseDown(parameters),
  ];
  return {
    name: 'uptime-replicas',
    rules: rules.map((rule) => ({ ...rule, subject: 'exporter' })),
  };
}

/** No account has a holder while the database is down, which another alert reports once. */
function withoutHolder(parameters: RuleParameters): Omit<AlertRule, 'subject'> {
  const job = jobLabels(parameters);
  return {
    alert: 'UptimeExporterAccountWithoutHolder',
    severity: 'critical',
    expr: `max by (${anyInstanceLabels(parameters)}) (${held}) == 0
unless on (${job}) max by (${job}) (${reachable}) == 0`,
    forSeconds: 120,
    // The replica that reports it may miss a scrape.
    keepFiringSeconds: 300,
    summary: 'No replica serves account {{ $labels.account }}',
    description:
      'No replica that Prometheus can scrape has taken account {{ $labels.account }}. New outages go unnoticed. Open alerts stay open.',
  };
}

function ownershipFlapping(parameters: RuleParameters): Omit<AlertRule, 'subject'> {
  const { takes } = parameters.thresholds.ownership;
  const range = `${expiredTakes}[${span(1800, parameters)}]`;
  // The exact number: increase() extrapolates.
  return {
    alert: 'UptimeExporterOwnershipFlapping',
    severity: 'warning',
    expr: `sum by (${anyInstanceLabels(parameters)}) (changes(${range}) - resets(${range})) > ${takes}`,
    summary: 'Replicas take account {{ $labels.account }} from each other',
    description:
      'Replicas have taken account {{ $labels.account }} {{ $value }} times within half an hour from an owner that had not released it. Each time, nobody polls it for a moment, and its data are read from the database again.',
  };
}

/**
 * One alert for all replicas if none of them reaches the database, because then nothing is served.
 */
function databaseDown(parameters: RuleParameters): Omit<AlertRule, 'subject'> {
  const job = jobLabels(parameters);
  const any = `max by (${job}) (${reachable})`;
  return {
    alert: 'UptimeExporterDatabaseDown',
    severity: { words: 'warning, or critical if no replica reaches it' },
    expr: `label_replace(${any} == 0, "severity", "critical", "", "")
or label_replace(${reachable} == 0 and on (${job}) ${any} == 1, "severity", "warning", "", "")`,
    forSeconds: 120,
    keepFiringSeconds: 300,
    summary:
      '{{ if $labels.instance }}The exporter {{ $labels.instance }} cannot reach its database{{ else }}No exporter can reach the database{{ end }}',
    description:
      'In job {{ $labels.job }}, {{ if $labels.instance }}this replica stops serving its accounts. Replicas that reach the database take them.{{ else }}no account is polled or served. Open alerts stay open.{{ end }}',
  };
}

/** Remembers which targets are replicas, so that this is known of one that is down. */
export function rememberedReplicas(parameters: RuleParameters): RecordingRule {
  return {
    record: configured,
    expr: `max by (${perTarget(parameters)}, account) (${held})
or last_over_time(${configured}[${span(3600, parameters)}]) and on (${perTarget(parameters)}) up{job=${quoted(parameters.job)}} == 0`,
  };
}

/** Selects targets whose accounts are in the configuration of another replica, which answers. */
export function isReplaceable(parameters: RuleParameters): string {
  return `and on (${perTarget(parameters)}) (${configured} and on (${anyInstanceLabels(parameters)}) ${held})`;
}

/** Selects accounts that a replica has in its configuration, whether one polls them or not. */
export function sharedByReplicas(parameters: RuleParameters): string {
  return `on (${anyInstanceLabels(parameters)}) ${held}`;
}

/** Leaves out exporters that cannot reach their database, which another alert reports. */
export function unlessDatabaseDown(parameters: RuleParameters): string {
  return `unless on (${perTarget(parameters)}) ${reachable} == 0`;
}

/**
 * Series of the exporter about an account. Where replicas share the account, they have no
 * `instance`: an alert must not end and begin again when another replica takes the account.
 */
export function onAnyReplica(expr: string, parameters: RuleParameters, without = ''): string {
  const shared = `on (${perTarget(parameters)}, account) ${held}`;
  const own = `${expr} unless ${shared}`;
  const labels = ['instance', ...(without === '' ? [] : [without])].join(', ');
  return `${without === '' ? own : `max without (${without}) (${own})`}
or max without (${labels}) (${expr} and ${shared})`;
}
