import type { RuleParameters } from './parameters.ts';
import {
  anyInstanceLabels,
  type Kind,
  openNumber,
  perAccount,
  type Scope,
  span,
} from './promql.ts';
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

const previousOf = (kind: Kind) => `uptime:${kind}_alert_previous:timestamp_seconds`;

/**
 * Alerts that fired at the previous evaluation: they are kept while the series of their account are
 * missing, but for at most a day, and not for an account that was removed from the exporter, or
 * from all replicas. It is enough to look back 30 minutes for the previous evaluation: Alertmanager
 * resolves an alert that Prometheus has not repeated for 20 minutes.
 *
 * Whether series are missing now is decided by each alert: Prometheus stores scrapes while it
 * evaluates a group, so two rules of one evaluation may differ in what they see.
 */
export function previousAlerts(kind: Kind, parameters: RuleParameters): RecordingRule {
  const which = `alertname${kind === 'transaction' ? '=~' : '!~'}"${aboutTransactions}"`;
  const half = span(30 * minute, parameters);
  return {
    record: previousOf(kind),
    expr: `max without (alertstate) (last_over_time(${fired}{${which}}[${half}]) >= on () group_left () max(last_over_time(${evaluated}[${half}])))
and on (${perAccount(parameters)}) last_over_time(${openNumber(kind)}[${span(day, parameters)}])
unless on (${anyInstanceLabels(parameters)}) (uptime_exporter_account_removed unless ${sharedByReplicas(parameters)})`,
  };
}

/**
 * An expression for the alerts of this name that are kept: the value is 0, the severity is
 * unchanged. The number of open outages shows whether an account is served, because it is served
 * together with the outages. If another exporter serves the item, its series decide.
 */
export function kept(alert: string, scope: Scope | 'account', parameters: RuleParameters): string {
  const kind = scope === 'transaction' ? 'transaction' : 'check';
  const away = `${previousOf(kind)}{alertname="${alert}"} unless on (${perAccount(parameters)}) ${openNumber(kind)}`;
  if (scope === 'account') return `0 * (${away})`;
  const [id, elsewhere] =
    scope === 'group'
      ? ['group', 'uptime_group_outages_open']
      : ['check_id', `uptime_${scope}_outage_open`];
  return `0 * (${away} unless on (${anyInstanceLabels(parameters)}, ${id}) ${elsewhere})`;
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
