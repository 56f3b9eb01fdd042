import { kept } from './alert-memory.ts';
import type { BurnTier, RuleParameters } from './parameters.ts';
import { accountLabels, itemLabels } from './promql.ts';
import { type AlertRule, type Severity, severities } from './rule.ts';
import { ask, budgetUsed, name } from './texts.ts';

type Scope = 'check' | 'transaction' | 'group';

interface BurnTexts {
  readonly alert: string;
  /** Whose budget it is. */
  readonly owner: string;
}

const textsOf: Readonly<Record<Scope, BurnTexts>> = {
  check: { alert: 'UptimeCheckErrorBudgetBurn', owner: name },
  transaction: { alert: 'UptimeTransactionErrorBudgetBurn', owner: name },
  group: { alert: 'UptimeGroupErrorBudgetBurn', owner: '{{ $labels.group }}' },
};

/** How long a condition must be true, in seconds; the windows are what makes it steady. */
const waits: Readonly<Record<Severity, number>> = { critical: 120, warning: 900, info: 3600 };

/**
 * Error budgets that are spent too fast: of checks, of transactions, and of the groups people own. All tiers of
 * one severity are one alert, so that an outage which passes from a window to the next is reported once. The most
 * severe first: while it fires, the others are silent.
 */
export function burnAlerts(parameters: RuleParameters): readonly AlertRule[] {
  return (['check', 'transaction', 'group'] as const).flatMap((scope) => {
    const own = parameters.alerts[textsOf[scope].alert]?.severity;
    const tiers = parameters.burn
      .filter(({ about }) => about === 'budget' || openItems(scope, parameters) !== undefined)
      .map((tier) => ({ ...tier, severity: own ?? tier.severity }));
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
  const { alert, owner } = textsOf[scope];
  const labels = identity(scope, parameters);
  const kind = scope === 'transaction' ? 'transaction' : 'check';
  const burns = (['outage', 'budget'] as const).flatMap((about) => {
    const some = tiers.filter((tier) => tier.about === about);
    return some.length === 0
      ? []
      : [`${tooFast(scope, some)}\n${condition(scope, about, parameters)}`];
  });
  const isReported = `unless on (${labels}) ALERTS{alertname="${alert}", alertstate="firing", severity=~"${moreSevere.join('|')}"}`;
  const query = `100 * (1 - uptime_${scope}_error_budget_remaining_ratio{*})`;
  return {
    alert,
    subject: scope,
    severity,
    expr: [
      ...burns.map((one, at) =>
        [at === 0 ? one : `or ${one}`, ...(moreSevere.length === 0 ? [] : [isReported])].join('\n'),
      ),
      `or on (${labels}) ${kept(alert, kind, severity)}`,
    ].join('\n'),
    forSeconds: waits[severity],
    summary: `${owner} is burning its error budget too fast`,
    description: `In account {{ $labels.account }}, its objective is exceeded{{ if $value }} {{ $value | printf "%.1f" }} times{{ end }}.${budgetUsed(ask(scope, query, parameters))}`,
  };
}

function identity(scope: Scope, parameters: RuleParameters): string {
  return scope === 'group' ? `${accountLabels(parameters)}, group` : itemLabels(parameters);
}

/** Over both windows of a tier. The series keep no `window`, so that all tiers are one alert. */
function tooFast(scope: Scope, tiers: readonly BurnTier[]): string {
  const burn = (window: string, rate: number) =>
    `uptime_${scope}_burn_rate{window="${window}"} > ${rate}`;
  const each = tiers.map(
    ({ rate, long, short }) => `${burn(long, rate)} and ignoring (window) ${burn(short, rate)}`,
  );
  return `max without (window) (${each.join('\n  or ')})`;
}

function condition(scope: Scope, about: BurnTier['about'], parameters: RuleParameters): string {
  const on = `and on (${identity(scope, parameters)})`;
  if (about === 'outage') return `${on} (${openItems(scope, parameters)})`;
  // A single outage is reported once, as an outage: the slow tiers wait until the budget is in danger. By the burn rate,
  // as it counts half of the window at least: a young check has not used up a month's budget in a minute.
  const used = Number((1 - parameters.thresholds.budget_left.share).toFixed(6));
  return `${on} uptime_${scope}_burn_rate{window="30d"} > ${used}`;
}

/**
 * What is down and is not paged for by an alert of its own, because it is of low importance or that alert does not page; undefined
 * where that alert always pages. A group has no such alert.
 */
function openItems(scope: Scope, { alerts, lowSeverity }: RuleParameters): string | undefined {
  if (scope === 'group') return 'uptime_group_outages_open > 0';
  const own = alerts[scope === 'check' ? 'UptimeCheckDown' : 'UptimeTransactionFailing'];
  const open = `uptime_${scope}_outage_open`;
  if (own?.enabled === false) return `${open} == 1`;
  if (own?.severity !== undefined) return own.severity === 'critical' ? undefined : `${open} == 1`;
  return lowSeverity === 'critical' ? undefined : `${open}{importance="low"} == 1`;
}
