import { accountAlerts } from './account-alerts.ts';
import { checkAlerts, settingsAlerts } from './check-alerts.ts';
import { exporterAlerts } from './exporter-alerts.ts';
import { outageAlerts } from './outage-alerts.ts';
import type { RuleParameters } from './parameters.ts';
import { pollingAlerts } from './polling-alerts.ts';
import type { AlertRule, RuleGroup } from './rule.ts';
import { transactionAlerts } from './transaction-alerts.ts';

/** Every rule file and what is in it. */
const files = {
  'outages.yaml': [outageAlerts],
  'checks.yaml': [checkAlerts, settingsAlerts, transactionAlerts, accountAlerts],
  'exporter.yaml': [exporterAlerts, pollingAlerts],
} as const;

export type RuleFileName = keyof typeof files;
export const ruleFileNames = Object.keys(files) as readonly RuleFileName[];

/** The groups of a rule file, with what the parameters change in single alerts. */
export function groupsOf(file: RuleFileName, parameters: RuleParameters): readonly RuleGroup[] {
  return files[file]
    .map((create) => create(parameters))
    .map((group) => ({
      ...group,
      rules: group.rules.flatMap((rule) => overridden(rule, parameters)),
    }))
    .filter(({ rules }) => rules.length > 0);
}

export function ruleGroups(parameters: RuleParameters): readonly RuleGroup[] {
  return ruleFileNames.flatMap((file) => groupsOf(file, parameters));
}

export function alertRules(parameters: RuleParameters): readonly AlertRule[] {
  return ruleGroups(parameters).flatMap(({ rules }) => rules);
}

function overridden(rule: AlertRule, { alerts }: RuleParameters): readonly AlertRule[] {
  const { enabled = true, ...change } = alerts[rule.alert] ?? {};
  return enabled ? [{ ...rule, ...change }] : [];
}
