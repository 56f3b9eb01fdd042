import type { BurnTier, RuleParameters } from './parameters.ts';
import { heldWhileAway, item, type Kind } from './promql.ts';
import type { AlertRule } from './rule.ts';
import { ask, budget, unseen, where } from './texts.ts';

/** Error budgets that are spent too fast: of checks, of transactions, and of the groups people own. The slowest first. */
export function burnAlerts(parameters: RuleParameters): readonly AlertRule[] {
  return parameters.burn
    .toReversed()
    .flatMap((tier) => [
      itemBurn('check', tier, parameters),
      itemBurn('transaction', tier, parameters),
      groupBurn(tier, parameters),
    ]);
}

function itemBurn(kind: Kind, tier: BurnTier, parameters: RuleParameters): AlertRule {
  const alert =
    kind === 'check' ? 'UptimeCheckErrorBudgetBurn' : 'UptimeTransactionErrorBudgetBurn';
  const condition =
    tier.about === 'outage' ? notPaged(kind, parameters) : budgetLow(kind, parameters);
  return {
    ...burn(alert, `uptime_${kind}_burn_rate`, condition, tier, parameters),
    subject: kind,
    summary: '{{ $labels.name }} is burning its error budget too fast',
    description: `{{ $labels.name }} (${where(kind)}) ${howFast(kind, tier)}${budget(kind)}${unseen()}`,
  };
}

function groupBurn(tier: BurnTier, parameters: RuleParameters): AlertRule {
  const rate = 'uptime_group_burn_rate';
  const condition = tier.about === 'outage' ? '' : budgetLow('group', parameters);
  return {
    ...burn('UptimeGroupErrorBudgetBurn', rate, condition, tier, parameters),
    subject: 'group',
    summary: '{{ $labels.group }} is burning its error budget too fast',
    description: `The checks of group {{ $labels.group }} (account {{ $labels.account }}) ${howFast('group', tier)}${budget('group')}${unseen()}`,
  };
}

function burn(
  alert: string,
  family: string,
  condition: string,
  { rate, long, short, severity, forSeconds }: BurnTier,
  parameters: RuleParameters,
) {
  const labels = `long_window="${long}", short_window="${short}"`;
  return {
    alert,
    severity,
    expr: `(
  ${family}{window="${long}"} > ${rate}
  and ignoring (window) ${family}{window="${short}"} > ${rate}
  ${condition}
)
or ${heldWhileAway(alert, labels, parameters)}`.replaceAll(/\n *\n/g, '\n'),
    forSeconds,
    labels: { long_window: long, short_window: short },
  };
}

/**
 * While the item is down and its own alert pages nobody, because it is of low importance. By the alert itself and
 * not by inhibition, which Alertmanager forgets for a while when it restarts.
 */
function notPaged(kind: Kind, { alerts }: RuleParameters): string {
  const isOpen = `and on (${item}) (uptime_${kind}_outage_open == 1)`;
  const alert = kind === 'check' ? 'UptimeCheckDown' : 'UptimeTransactionFailing';
  if (alerts[alert]?.enabled === false) return isOpen;
  return `${isOpen}
  and on (${item}) ALERTS{alertname="${alert}", alertstate="firing", severity!="critical"}`;
}

/**
 * A single outage is told once, as an outage: the slow tiers wait until the budget is in danger. By the burn rate,
 * as it counts half of the window at least: a young check has not used up a month's budget in a minute.
 */
function budgetLow(scope: string, { thresholds }: RuleParameters): string {
  const used = Number((1 - thresholds.budget_left.share).toFixed(6));
  return `and ignoring (window) uptime_${scope}_burn_rate{window="30d"} > ${used}`;
}

function howFast(scope: Kind | 'group', { long, short, rate }: BurnTier): string {
  const now = ask(scope, `max(uptime_${scope}_burn_rate{*,window="${long}"})`);
  const verb = scope === 'group' ? 'are burning their' : 'is burning its';
  return `${verb} error budget {{ with ${now} }}{{ . | first | value | printf "%.1f" }} times{{ else }}more than ${rate} times{{ end }} as fast as the objective allows, over both ${long} and ${short}, planned maintenance excluded.`;
}
