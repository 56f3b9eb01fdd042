import { kept } from './alert-memory.ts';
import type { BurnTier, RuleParameters } from './parameters.ts';
import { itemLabels, mostDetailed, openNumber, perAccount, type Scope } from './promql.ts';
import { type AlertRule, type Severity, severities } from './rule.ts';
import { ask, budgetUsed, name } from './texts.ts';

interface BurnTexts {
  readonly alert: string;
  /** The owner of the budget, as text for the summary. */
  readonly owner: string;
}

const textsOf: Readonly<Record<Scope, BurnTexts>> = {
  check: { alert: 'UptimeCheckErrorBudgetBurn', owner: name },
  transaction: { alert: 'UptimeTransactionErrorBudgetBurn', owner: name },
  group: { alert: 'UptimeGroupErrorBudgetBurn', owner: '{{ $labels.group }}' },
};

/** Seconds that a condition must be true, by severity; windows already exclude peaks. */
const waits: Readonly<Record<Severity, number>> = { critical: 120, warning: 900, info: 3600 };

/**
 * Error budgets of checks, transactions and groups that are spent too fast. All tiers are one
 * alert, so an outage that moves from one window to the next is reported once, with the highest
 * severity.
 */
export function burnAlerts(parameters: RuleParameters): readonly AlertRule[] {
  return (['check', 'transaction', 'group'] as const).flatMap((scope) => {
    const tiers = parameters.burn.filter(
      ({ about }) => about === 'budget' || openItems(scope, parameters) !== undefined,
    );
    const used = severities.filter((one) => tiers.some(({ severity }) => severity === one));
    const [first] = used;
    if (first === undefined) return [];
    const burns = used.flatMap((severity) =>
      (['outage', 'budget'] as const).flatMap((about) => {
        const alike = tiers.filter((tier) => tier.severity === severity && tier.about === about);
        return alike.length === 0 ? [] : [burning(scope, severity, about, alike, parameters)];
      }),
    );
    return [burnAlert(scope, first, used, burns, parameters)];
  });
}

function burnAlert(
  scope: Scope,
  mostSevere: Severity,
  used: readonly Severity[],
  burns: readonly string[],
  parameters: RuleParameters,
): AlertRule {
  const { alert, owner } = textsOf[scope];
  const query = `100 * (1 - uptime_${scope}_error_budget_remaining_ratio{*})`;
  return {
    alert,
    subject: scope,
    severity: { words: used.join(' or ') },
    expr: [...burns, kept(alert, scope, parameters)].join(
      `\nor on (${identity(scope, parameters)}) `,
    ),
    forSeconds: waits[mostSevere],
    summary: `${owner} burns its error budget too fast`,
    description: `In {{ $labels.account }}: down {{ with $value }}{{ printf "%.1f" . }} times as long as allowed.${budgetUsed(ask(scope, query, parameters))}{{ else }}too long.{{ end }}`,
  };
}

/**
 * The expression of all tiers of one severity; it sets the label `severity`. The value is how many
 * times the objective is exceeded; 0 if so many items are down that texts are short.
 */
function burning(
  scope: Scope,
  severity: Severity,
  about: BurnTier['about'],
  tiers: readonly BurnTier[],
  parameters: RuleParameters,
): string {
  const fast = tooFast(scope, tiers, condition(scope, about, parameters));
  const number = openNumber(scope === 'transaction' ? 'transaction' : 'check');
  const few = `on (${perAccount(parameters)}) group_left () (${number} < bool ${mostDetailed})`;
  return `label_replace(${fast} * ${few}, "severity", "${severity}", "", "")`;
}

function identity(scope: Scope, parameters: RuleParameters): string {
  return scope === 'group' ? `${perAccount(parameters)}, group` : itemLabels(parameters);
}

/**
 * Over a tier's limit in both of its windows; no label `window`, so tiers are one alert. The
 * condition is true of few items, so it comes first.
 */
function tooFast(scope: Scope, tiers: readonly BurnTier[], condition: string): string {
  const burn = (window: string, rate: number) =>
    `uptime_${scope}_burn_rate{window="${window}"} > ${rate}`;
  const each = tiers.map(
    ({ rate, long, short }) =>
      `${burn(long, rate)} ${condition} and ignoring (window) ${burn(short, rate)}`,
  );
  return `max without (window) (${each.join('\n  or ')})`;
}

function condition(scope: Scope, about: BurnTier['about'], parameters: RuleParameters): string {
  const on = `and on (${identity(scope, parameters)})`;
  if (about === 'outage') return `${on} (${openItems(scope, parameters)})`;
  // A single outage is reported once, as an outage: the slow tiers wait until little of the budget
  // is left. The burn rate shows that, because it is computed over at least half of the window: a
  // new check has not used up the budget of a month after one minute.
  const used = Number((1 - parameters.thresholds.budget_left.share).toFixed(6));
  return `${on} uptime_${scope}_burn_rate{window="30d"} > ${used}`;
}

/**
 * Selects items that are down and whose own alert does not page, because the item is of low
 * importance or because of the parameters. Undefined if that alert always pages. Groups have no
 * such alert.
 */
function openItems(scope: Scope, { alerts, lowSeverity }: RuleParameters): string | undefined {
  if (scope === 'group') return 'uptime_group_outages_open > 0';
  const own = alerts[scope === 'check' ? 'UptimeCheckDown' : 'UptimeTransactionFailing'];
  const open = `uptime_${scope}_outage_open`;
  if (own?.enabled === false) return `${open} == 1`;
  if (own?.severity !== undefined) return own.severity === 'critical' ? undefined : `${open} == 1`;
  return lowSeverity === 'critical' ? undefined : `${open}{importance="low"} == 1`;
}
