import { firstEvaluated, kept, lastFired, memoryRules, previousAlerts } from './alert-memory.ts';
import { burnAlerts } from './burn-alerts.ts';
import type { RuleParameters } from './parameters.ts';
import {
  anyInstanceLabels,
  itemLabels,
  type Kind,
  mostDetailed,
  openNumber,
  perAccount,
  span,
} from './promql.ts';
import type { AlertRule, RecordingRule, RuleGroup } from './rule.ts';
import { ask, budgetUsed, bySeverity, name, theItem, valueAsTime } from './texts.ts';

/**
 * Outages when they begin and end, and their effect on error budgets. The order of the rules
 * matters: first what fired at the previous evaluation, then the alerts, then the rules that record
 * them for the next evaluation.
 */
export function outageAlerts(parameters: RuleParameters): RuleGroup {
  return {
    name: 'uptime-outages',
    rules: [
      previousAlerts('check', parameters),
      previousAlerts('transaction', parameters),
      openBudget('check', parameters),
      openBudget('transaction', parameters),
      down('check', parameters),
      down('transaction', parameters),
      manyChecksDown(parameters),
      ...burnAlerts(parameters),
      wasDown('check', parameters),
      wasDown('transaction', parameters),
      ...memoryRules(parameters),
    ],
  };
}

const openBudgetOf = (kind: Kind) => `uptime:${kind}_budget_used:percent`;

/** When the outages of an account began, unless there are too many for detailed texts. */
function detailedStart(kind: Kind, parameters: RuleParameters): string {
  const few = `${openNumber(kind)} < ${mostDetailed}`;
  return `uptime_${kind}_outage_start_timestamp_seconds and on (${perAccount(parameters)}) ${few}`;
}

/**
 * The percentage of its error budget that an item that is down has used. Absent until the counters
 * have reached its outage, because the budget does not include it before.
 */
function openBudget(kind: Kind, parameters: RuleParameters): RecordingRule {
  const account = anyInstanceLabels(parameters);
  return {
    record: openBudgetOf(kind),
    expr: `100 * (1 - (uptime_${kind}_error_budget_remaining_ratio and on (${itemLabels(parameters)}) (
  (${detailedStart(kind, parameters)})
  < on (${account}) group_left () min by (${account}) (uptime_exporter_counted_until_timestamp_seconds)
)))`,
  };
}

/**
 * This alert has no wait, because the service has confirmed the failure. The value is the start of
 * the outage; 1 if the text is short or the start is unknown; 2 between the outages of a flapping
 * item; 0 while the series of the account are missing.
 */
function down(kind: Kind, parameters: RuleParameters): AlertRule {
  const item = itemLabels(parameters);
  const open = `uptime_${kind}_outage_open`;
  const alert = kind === 'check' ? 'UptimeCheckDown' : 'UptimeTransactionFailing';
  const budget = budgetUsed(ask(kind, `${openBudgetOf(kind)}{*}`, parameters));
  const step = `{{ with ${ask(kind, 'uptime_transaction_failing_step{*}', parameters)} }} at step {{ . | first | value }}{{ end }}`;
  const texts =
    kind === 'check'
      ? {
          summary: `${name} ${unlessLive('going down', 'down')}{{ else if eq $value 1.0 }}is down{{ else }}went down at ${valueAsTime}{{ end }}`,
          description: `The check of {{ $labels.hostname }} (account {{ $labels.account }}) failed two tests.{{ if gt $value 2.0 }}${budget}{{ end }}`,
        }
      : {
          summary: `${name} ${unlessLive('failing', 'failing')}{{ else }}is failing{{ end }}${step}`,
          description: `In account {{ $labels.account }}{{ if gt $value 2.0 }}, since ${valueAsTime}.${budget}{{ else }}.{{ end }}`,
        };
  const expr = `${open} * on (${item}) group_left () max by (${item}) (${detailedStart(kind, parameters)}) > 0
or ${open} == 1
or on (${item}) (2 * (uptime_${kind}_flapping == 1) or on (${item}) ${kept(alert, kind, parameters)})`;
  return { alert, subject: kind, ...bySeverity(expr, parameters.lowSeverity), ...texts };
}

/** The beginning of a summary, for the values 0 and 2. */
function unlessLive(again: string, state: string): string {
  return `{{ if eq $value 0.0 }}was ${state} when last seen{{ else if eq $value 2.0 }}keeps ${again}`;
}

function manyChecksDown(parameters: RuleParameters): AlertRule {
  const { checks, share } = parameters.thresholds.many_down;
  const account = perAccount(parameters);
  const day = span(86_400, parameters);
  const number = openNumber('check');
  const open = `sum by (${account}) (${number})`;
  const unpaused = `last_over_time(uptime_checks{status!="paused"}[${day}])`;
  const names = ask('account', 'topk(5, uptime_check_outage_open{*} == 1)', parameters);
  return {
    alert: 'UptimeManyChecksDown',
    subject: 'account',
    severity: 'critical',
    expr: `${open} >= ${checks}
and ${open} >= ${share} * sum by (${account}) (${unpaused})
or on (${account}) ${kept('UptimeManyChecksDown', 'account', parameters)}
  unless on (${anyInstanceLabels(parameters)}) (${number} unless ${number} offset ${day})`,
    // If the number of checks varies around the limit, the alert must not fire again each time.
    keepFiringSeconds: 300,
    summary:
      '{{ if $value }}{{ $value }}{{ else }}Many{{ end }} checks in {{ $labels.account }} are down',
    description: `So many checks of account {{ $labels.account }} probably have one cause.{{ with ${names} }} Among them:{{ range $at, $check := sortByLabel "name" . }}{{ if $at }},{{ end }} {{ $check.Labels.name }}{{ end }}.{{ end }}`,
  };
}

/**
 * An outage that no alert reported while it was open, because the exporter or Prometheus detected
 * it too late. An outage that began before the rules were loaded does not count.
 */
function wasDown(kind: Kind, parameters: RuleParameters): AlertRule {
  const item = `${anyInstanceLabels(parameters)}, check_id`;
  const start = `uptime_${kind}_last_outage_start_timestamp_seconds`;
  const [alert, was, reported] =
    kind === 'check'
      ? ['UptimeCheckWasDown', 'was down', 'UptimeCheckDown']
      : ['UptimeTransactionWasFailing', 'was failing', 'UptimeTransactionFailing'];
  return {
    alert,
    subject: kind,
    severity: 'info',
    expr: `${start} > on () group_left () ${firstEvaluated(parameters)}
unless on (${item}) (
  ${lastFired(reported, item, start, parameters)} >= on (${item}) group_right () ${start}
)`,
    forSeconds: 300,
    // A failed scrape must not repeat the alert.
    keepFiringSeconds: 3600,
    summary: `${name} ${was} and is up again`,
    description: `${theItem(kind)} ${was} from ${valueAsTime}. The outage was over before ${reported} could report it.`,
  };
}
