import { accountAlerts } from './account-alerts.ts';
import { checkAlerts } from './check-alerts.ts';
import { exporterAlerts } from './exporter-alerts.ts';
import { type AlertRule, isAlert, type RuleGroup } from './rule.ts';
import { burnAlerts, sloHistory, sloRules } from './slo.ts';
import { transactionAlerts } from './transaction-alerts.ts';

/** Every rule file in alerts/ and what is in it. */
export const ruleFiles: Readonly<Record<string, readonly RuleGroup[]>> = {
  'slo.yaml': [sloRules, ...sloHistory, burnAlerts],
  'checks.yaml': [checkAlerts, transactionAlerts, accountAlerts],
  'exporter.yaml': [exporterAlerts],
};

export const ruleGroups: readonly RuleGroup[] = Object.values(ruleFiles).flat();
export const alertRules: readonly AlertRule[] = ruleGroups.flatMap(({ rules }) =>
  rules.filter(isAlert),
);
