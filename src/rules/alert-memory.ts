import type { RuleParameters } from './parameters.ts';
import { anyInstanceLabels, type Kind, openNumber, perAccount, span } from './promql.ts';
import { sharedByReplicas } from './replica-alerts.ts';
import type { RecordingRule } from './rule.ts';

const [minute, hour, day] = [60, 3600, 86_400];

/** When each alert last fired, in UNIX seconds; kept for 25 hours. */
const fired = 'uptime:alert_fired:timestamp_seconds';
/** When the alerts were last evaluated. */
const evaluated = 'uptime:alerts_evaluated:timestamp_seconds';
/** When the alerts were first evaluated. */
const began = 'uptime:alerts_began:timestamp_seconds';

/** Alerts that stay open while the series of their account are missing. */
const remembered = 'Uptime(CheckDown|TransactionFailing|ManyChecksDown|.+ErrorBudgetBurn)';
const aboutTransactions = 'UptimeTransaction.+';

const keptOf = (kind: Kind) => `uptime:${kind}_alert_kept:timestamp_seconds`;

/**
 * Alerts that fired when the account was last served, while its series are missing: for at most a
 * day, and not for an account that was removed from the exporter, or from all replicas. The number
 * of open outages shows whether an account is served, because it is served together with the
 * outages. It is enough to look back 30 minutes for the last evaluation: Alertmanager resolves an
 * alert that Prometheus has not repeated for 20 minutes. If another exporter serves the check or
 * the group, its series decide.
 */
export function keptAlerts(kind: Kind, parameters: RuleParameters): RecordingRule {
  const account = perAccount(parameters);
  const anyInstance = anyInstanceLabels(parameters);
  const open = openNumber(kind);
  const which = `alertname${kind === 'transaction' ? '=~' : '!~'}"${aboutTransactions}"`;
  const half = span(30 * minute, parameters);
  const known =
    kind === 'check'
      ? '{__name__=~"uptime_check_outage_open|uptime_group_outages_open"}'
      : 'uptime_transaction_outage_open';
  return {
    record: keptOf(kind),
    // Few accounts are away, so that is looked at first.
    expr: `max without (alertstate) (last_over_time(${fired}{${which}}[${half}])
  and on (${account}) (last_over_time(${open}[${span(day, parameters)}]) unless on (${account}) ${open}))
>= on () group_left () max(last_over_time(${evaluated}[${half}]))
unless on (${anyInstance}) (uptime_exporter_account_removed unless ${sharedByReplicas(parameters)})
unless on (${anyInstance}, check_id, group) ${known}`,
  };
}

/** An expression for the kept alerts of this name: the value is 0, the severity is unchanged. */
export function kept(alert: string, kind: Kind): string {
  return `0 * ${keptOf(kind)}{alertname="${alert}"}`;
}

/** When this alert last fired for each of these items, on any exporter. */
export function lastFired(
  alert: string,
  labels: string,
  items: string,
  parameters: RuleParameters,
): string {
  const lately = `[${span(10 * minute, parameters)}]`;
  return `max by (${labels}) (last_over_time(${fired}{alertname="${alert}"}${lately}) and on (${labels}) ${items})`;
}

/** The first evaluation of the alerts. Earlier outages are not reported afterwards. */
export function firstEvaluated(parameters: RuleParameters): string {
  return `min(last_over_time(${began}[${span(day, parameters)}]))`;
}

/** Must follow the alerts in their group. `fired` survives an hour without Prometheus. */
export function memoryRules(parameters: RuleParameters): readonly RecordingRule[] {
  const firing = `ALERTS{alertname=~"${remembered}", alertstate="firing"}`;
  return [
    {
      record: fired,
      // The value of ALERTS is 1.
      expr: `time() * ${firing}
or last_over_time(${fired}[${span(hour, parameters)}]) > time() - ${(25 * hour) / parameters.timeDivisor}`,
    },
    { record: evaluated, expr: 'vector(time())' },
    {
      record: began,
      expr: `last_over_time(${began}[${span(day, parameters)}]) or vector(time())`,
    },
  ];
}
