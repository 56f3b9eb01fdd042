import type { BurnTier, RuleParameters } from './parameters.ts';
import { heldWhileAway, item, type Kind } from './promql.ts';
import { type AlertRule, type Severity, severities } from './rule.ts';
import { ask, budget, unseen, where } from './texts.ts';

type Scope = Kind | 'group';

interface BurnWords {
  readonly alert: string;
  /** What identifies a budget on every series. */
  readonly identity: string;
  readonly summary: string;
  /** Whose budget it is, with the verb. */
  readonly burning: string;
}

const wordsOf: Readonly<Record<Scope, BurnWords>> = {
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
 * one severity are one alert, so that an outage which passes from a window to the next is told once. The most
 * severe first: while it fires, the others are silent.
 */
export function burnAlerts(parameters: RuleParameters): readonly AlertRule[] {
  return (['check', 'transaction', 'group'] as const).flatMap((scope) => {
    const { alert } = wordsOf[scope];
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
  const { alert, identity, summary, burning } = wordsOf[scope];
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
 * While the item is down and its own alert pages nobody, because it is of low importance. By the alert itself and
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
 * A single outage is told once, as an outage: the slow tiers wait until the budget is in danger. By the burn rate,
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
