import { formatDuration } from '../config/fields.ts';
import type { BurnTier, RuleParameters } from './parameters.ts';
import {
  account,
  flapping,
  heldWhileAway,
  item,
  type Kind,
  openOutages,
  outagesEnded,
  span,
} from './promql.ts';
import { type AlertRule, type RuleGroup, type Severity, severities } from './rule.ts';
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

/** A cause to investigate in working hours: UptimeCheckDown pages, and keeps firing meanwhile. */
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
    // A failed scrape must not repeat the alert.
    keepFiringSeconds: 3600,
    summary: `{{ $labels.name }} ${was} and is up again`,
    description: `{{ $labels.name }} (${where(kind)}) ${was} for about {{ $value | humanizeDuration }} in the last 24 hours. It was over before the exporter learnt of it, so nobody was paged.${budget(kind)}`,
  };
}

type Scope = Kind | 'group';

interface BurnTexts {
  readonly alert: string;
  /** What identifies a budget on every series. */
  readonly identity: string;
  readonly summary: string;
  /** Whose budget it is, with the verb. */
  readonly burning: string;
}

const textsOf: Readonly<Record<Scope, BurnTexts>> = {
  check: {
    alert: 'UptimeCheckErrorBudgetBurn',
    identity: item,
    summary: '{{ $labels.name }} is burning its error budget too fast',
    burning: `{{ $labels.name }} (${where('check')}) is burning its error budget`,
  },
  transaction: {
    alert: 'UptimeTransactionErrorBudgetBurn',
    identity: item,
    summary: '{{ $labels.name }} is burning its error budget too fast',
    burning: `{{ $labels.name }} (${where('transaction')}) is burning its error budget`,
  },
  group: {
    alert: 'UptimeGroupErrorBudgetBurn',
    identity: 'job, instance, account, group',
    summary: '{{ $labels.group }} is burning its error budget too fast',
    burning:
      'The checks of group {{ $labels.group }} (account {{ $labels.account }}) are burning their error budget',
  },
};

/** How long a condition must hold, in seconds; the windows are what makes it steady. */
const waits: Readonly<Record<Severity, number>> = { critical: 120, warning: 900, info: 3600 };

/**
 * Error budgets that are spent too fast: of checks, of transactions, and of the groups people own. All tiers of
 * one severity are one alert, so that an outage which passes from a window to the next is reported once. The most
 * severe first: while it fires, the others are silent.
 */
function burnAlerts(parameters: RuleParameters): readonly AlertRule[] {
  return (['check', 'transaction', 'group'] as const).flatMap((scope) => {
    const { alert } = textsOf[scope];
    const own = parameters.alerts[alert]?.severity;
    const tiers = parameters.burn.map((tier) => ({ ...tier, severity: own ?? tier.severity }));
    const used = severities.filter((one) => tiers.some(({ severity }) => severity === one));
    return used.map((severity, place): AlertRule => {
      const alike = tiers.filter((tier) => tier.severity === severity);
      return burnAlert(scope, severity, alike, used.slice(0, place), parameters);
    });
  });
}

function burnAlert(
  scope: Scope,
  severity: Severity,
  tiers: readonly BurnTier[],
  moreSevere: readonly Severity[],
  parameters: RuleParameters,
): AlertRule {
  const { alert, identity, summary, burning } = textsOf[scope];
  const burns = [
    ...tiers.map((tier) => isFast(scope, tier, parameters)),
    heldWhileAway(alert, `severity="${severity}"`, parameters),
  ].join('\nor ');
  const told = firing(alert, `severity=~"${moreSevere.join('|')}"`);
  return {
    alert,
    subject: scope,
    severity,
    expr:
      moreSevere.length === 0
        ? burns
        : `(\n  ${burns.replaceAll('\n', '\n  ')}\n)\nunless on (${identity}) ${told}`,
    forSeconds: waits[severity],
    summary,
    description: `${burning} ${howFast(scope, tiers)}${budget(scope)}${unseen()}`,
  };
}

/** Over both windows of a tier. The series keep no `window`, so that all tiers are one alert. */
function isFast(scope: Scope, { rate, long, short, about }: BurnTier, parameters: RuleParameters) {
  const family = `uptime_${scope}_burn_rate`;
  const conditions = [
    `max without (window) (${family}{window="${long}"} > ${rate})`,
    `and max without (window) (${family}{window="${short}"} > ${rate})`,
    ...(about === 'budget' ? [budgetLow(family, parameters)] : notPaged(scope, parameters)),
  ];
  return `(\n  ${conditions.join('\n  ')}\n)`;
}

/**
 * While the item is down and its own alert does not page, because it is of low importance. By the alert itself and
 * not by inhibition, which Alertmanager forgets for a while when it restarts. A group has no such alert.
 */
function notPaged(scope: Scope, { alerts }: RuleParameters): readonly string[] {
  if (scope === 'group') return [];
  const isOpen = `and on (${item}) (uptime_${scope}_outage_open == 1)`;
  const alert = scope === 'check' ? 'UptimeCheckDown' : 'UptimeTransactionFailing';
  if (alerts[alert]?.enabled === false) return [isOpen];
  return [isOpen, `and on (${item}) ${firing(alert, 'severity!="critical"')}`];
}

/**
 * A single outage is reported once, as an outage: the slow tiers wait until the budget is in danger. By the burn rate,
 * as it counts half of the window at least: a young check has not used up a month's budget in a minute.
 */
function budgetLow(family: string, { thresholds }: RuleParameters): string {
  const used = Number((1 - thresholds.budget_left.share).toFixed(6));
  return `and max without (window) (${family}{window="30d"} > ${used})`;
}

function firing(alert: string, severity: string): string {
  return `ALERTS{alertname="${alert}", alertstate="firing", ${severity}}`;
}

function howFast(scope: Scope, tiers: readonly BurnTier[]): string {
  const rates = tiers.map(({ long }) => {
    const now = ask(scope, `max(uptime_${scope}_burn_rate{*,window="${long}"})`);
    return `{{ with ${now} }}, {{ . | first | value | printf "%.1f" }} times as fast over ${long}{{ end }}`;
  });
  return `faster than the objective allows${rates.join('')}, planned maintenance excluded.`;
}
