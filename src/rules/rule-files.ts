import { stringify } from 'yaml';
import { accountAlerts, checkAlerts, settingsAlerts, transactionAlerts } from './check-alerts.ts';
import { exporterAlerts } from './exporter-alerts.ts';
import { outageAlerts } from './outage-alerts.ts';
import type { RuleParameters } from './parameters.ts';
import { pollingAlerts } from './polling-alerts.ts';
import { span } from './promql.ts';
import { replicaAlerts } from './replica-alerts.ts';
import { type AlertRule, isAlert, type Rule, type RuleGroup } from './rule.ts';
import { links } from './texts.ts';

/** The groups of each rule file. */
const files = {
  'outages.yaml': [outageAlerts],
  'checks.yaml': [checkAlerts, settingsAlerts, transactionAlerts, accountAlerts],
  'exporter.yaml': [exporterAlerts, replicaAlerts, pollingAlerts],
} as const;

type RuleFileName = keyof typeof files;
export const ruleFileNames = Object.keys(files) as readonly RuleFileName[];

/** The groups of a rule file, after the parameters have overridden single alerts. */
export function groupsOf(file: RuleFileName, parameters: RuleParameters): readonly RuleGroup[] {
  return files[file]
    .map((create) => create(parameters))
    .map((group) => ({
      ...group,
      rules: group.rules.flatMap((rule) => overridden(rule, parameters)),
    }))
    .filter(({ rules }) => rules.length > 0);
}

function ruleGroups(parameters: RuleParameters): readonly RuleGroup[] {
  return ruleFileNames.flatMap((file) => groupsOf(file, parameters));
}

export function alertRules(parameters: RuleParameters): readonly AlertRule[] {
  return ruleGroups(parameters).flatMap(({ rules }) => rules.filter(isAlert));
}

function overridden(rule: Rule, { alerts }: RuleParameters): readonly Rule[] {
  if (!isAlert(rule)) return [rule];
  const { enabled = true, ...change } = alerts[rule.alert] ?? {};
  return enabled ? [{ ...rule, ...change }] : [];
}

const header =
  '# Written by `uptime-exporter rules`, which also takes your job, links and thresholds.\n';

/** A rule file as Prometheus loads it. */
export function ruleFile(name: RuleFileName, parameters: RuleParameters): string {
  return yaml({ groups: groupsOf(name, parameters).map((group) => wireGroup(group, parameters)) });
}

/** All rules as values, which the files contain as YAML. */
export function wireGroups(parameters: RuleParameters): readonly object[] {
  return ruleGroups(parameters).map((group) => wireGroup(group, parameters));
}

export function wholeRuleFile(parameters: RuleParameters): string {
  return yaml({ groups: wireGroups(parameters) });
}

/** All rules as an object of the Prometheus operator. */
export function prometheusRule(parameters: RuleParameters): string {
  return yaml({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      name: 'uptime-exporter',
      labels: { 'app.kubernetes.io/name': 'uptime-exporter' },
    },
    spec: { groups: wireGroups(parameters) },
  });
}

function yaml(value: unknown): string {
  return header + stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

function wireGroup({ name, intervalSeconds, rules }: RuleGroup, parameters: RuleParameters) {
  return {
    name,
    ...(intervalSeconds !== undefined && { interval: span(intervalSeconds, parameters) }),
    rules: rules.map((rule) => wireRule(rule, parameters)),
  };
}

/** No label if the expression sets the severity on its series. */
function labelsOf(severity: AlertRule['severity']) {
  if (typeof severity === 'string') return { labels: { severity } };
  return 'template' in severity ? { labels: { severity: severity.template } } : {};
}

function wireRule(rule: Rule, parameters: RuleParameters) {
  if (!isAlert(rule)) return rule;
  const { alert, expr, severity, summary, description, subject } = rule;
  const { forSeconds, keepFiringSeconds } = rule;
  return {
    alert,
    expr,
    ...(forSeconds !== undefined && { for: span(forSeconds, parameters) }),
    ...(keepFiringSeconds !== undefined && {
      keep_firing_for: span(keepFiringSeconds, parameters),
    }),
    ...labelsOf(severity),
    annotations: { summary, description, ...links(alert, subject, parameters) },
  };
}
