import { formatDuration } from '../config/fields.ts';
import { burnAlerts } from './burn-alerts.ts';
import type { RuleParameters } from './parameters.ts';
import { account, flapping, item, type Kind, openOutages, outagesEnded, span } from './promql.ts';
import type { AlertRule, RuleGroup } from './rule.ts';
import { ask, budget, severityOf, since, unseen, where } from './texts.ts';

/** Outages as they begin and end, and what they do to error budgets. */
export function outageAlerts(parameters: RuleParameters): RuleGroup {
  return {
    name: 'uptime-outages',
    rules: [
      ...burnAlerts(parameters),
      checkFlapping(parameters),
      down('check', parameters),
      down('transaction', parameters),
      manyChecksDown(parameters),
      wasDown('check', parameters),
      wasDown('transaction', parameters),
    ],
  };
}

/** Nothing waits that the service has confirmed, and what is held, is held by the expression. */
function down(kind: Kind, parameters: RuleParameters): AlertRule {
  const { up_for: upFor, outages } = parameters.thresholds.flapping;
  const hold = `{{ if ${ask(kind, `${outagesEnded(kind, parameters).replace('_open', '_open{*}')} >= ${outages}`)} }} It keeps going up and down, so this alert stays open until it has been up for ${formatDuration(upFor)}.{{ end }}`;
  const words =
    kind === 'check'
      ? {
          alert: 'UptimeCheckDown',
          summary: '{{ $labels.name }} is down',
          what: `{{ $labels.name }} (${where(kind)}) has been down${since(kind, parameters)}, confirmed by a second test.`,
        }
      : {
          alert: 'UptimeTransactionFailing',
          summary: `{{ $labels.name }} is failing{{ with ${failingStep} }} at step {{ . | first | value }}{{ end }}`,
          what: `The transaction {{ $labels.name }} (${where(kind)}) has been failing${since(kind, parameters)}.`,
        };
  return {
    alert: words.alert,
    subject: kind,
    severity: severityOf(kind, parameters.lowSeverity, parameters),
    expr: `${openOutages(kind, parameters)}
or (
  uptime_${kind}_outage_open == 0
  and ${flapping(kind, parameters)}
)`,
    summary: words.summary,
    description: words.what + budget(kind) + hold + unseen(),
  };
}

const failingStep = ask('transaction', 'max(uptime_transaction_failing_step{*})');

function manyChecksDown(parameters: RuleParameters): AlertRule {
  const { checks, share } = parameters.thresholds.many_down;
  const tested = 'uptime_checks{status!="paused"}';
  const open = `count by (${account}) (
  ${openOutages('check', parameters).replaceAll('\n', '\n  ')}
)`;
  const names = ask(
    'account',
    `topk(10, last_over_time(uptime_check_outage_open{*}[${span(3600, parameters)}]) == 1)`,
  );
  return {
    alert: 'UptimeManyChecksDown',
    subject: 'account',
    severity: 'critical',
    expr: `(
  ${open.replaceAll('\n', '\n  ')} >= ${checks}
)
and
${open}
/ (
  sum by (${account}) (${tested})
  or sum by (${account}) (last_over_time(${tested}[${span(86_400, parameters)}]))
)
>= ${share}`,
    summary: '{{ $value }} checks in {{ $labels.account }} are down',
    description: `{{ $value }} checks in account {{ $labels.account }} are down, at least ${share * 100} % of all, so they probably have one cause.{{ with ${names} }} They include {{ range $at, $check := sortByLabel "name" . }}{{ if $at }}, {{ end }}{{ $check.Labels.name }}{{ end }}.{{ end }}${unseen()}`,
  };
}

/** A cause to look for in daylight: UptimeCheckDown pages, and is held meanwhile. */
function checkFlapping(parameters: RuleParameters): AlertRule {
  const { within, up_for: upFor } = parameters.thresholds.flapping;
  return {
    alert: 'UptimeCheckFlapping',
    subject: 'check',
    severity: 'info',
    expr: flapping('check', parameters),
    summary: '{{ $labels.name }} is flapping',
    description: `{{ $labels.name }} (${where('check')}) went down {{ $value }} times within ${formatDuration(within)}. Its alert UptimeCheckDown stays open until it has been up for ${formatDuration(upFor)}.${budget('check')}`,
  };
}

/** What was over before it was known raises no page. */
function wasDown(kind: Kind, parameters: RuleParameters): AlertRule {
  const [alert, was] =
    kind === 'check'
      ? ['UptimeCheckWasDown', 'was down']
      : ['UptimeTransactionWasFailing', 'was failing'];
  return {
    alert,
    subject: kind,
    severity: 'info',
    expr: `86400 * uptime_${kind}_error_ratio{window="1d"} > 0
unless on (${item}) last_over_time(uptime_${kind}_outage_open[${span(86_400, parameters)}])`,
    forSeconds: 300,
    // A scrape that fails must not tell it again.
    keepFiringSeconds: 3600,
    summary: `{{ $labels.name }} ${was} and is up again`,
    description: `{{ $labels.name }} (${where(kind)}) ${was} for about {{ $value | humanizeDuration }} in the last 24 hours. It was over before the exporter learnt of it, so nobody was paged.${budget(kind)}`,
  };
}
