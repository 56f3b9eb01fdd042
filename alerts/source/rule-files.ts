import { stringify } from 'yaml';
import { alertTable } from './alert-table.ts';
import { type AlertRule, isAlert, type RecordingRule, type RuleGroup } from './rule.ts';
import { ruleFiles, ruleGroups } from './rule-groups.ts';
import { thresholds } from './thresholds.ts';

const header = '# Written by `npm run generate` from alerts/source; change it there.\n';

/** The rule file as Prometheus loads it. */
export function ruleFile(groups: readonly RuleGroup[]): string {
  return header + yaml({ groups: groups.map(wireGroup) });
}

/** The same rules as an object of the Prometheus operator. */
export function prometheusRule(): string {
  return (
    header +
    yaml({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: {
        name: 'uptime-exporter',
        labels: { 'app.kubernetes.io/name': 'uptime-exporter' },
      },
      spec: { groups: ruleGroups.map(wireGroup) },
    })
  );
}

/** Generated files by their path in the repository. */
export function generatedRuleFiles(): Map<string, string> {
  const files = new Map(
    Object.entries(ruleFiles).map(([name, groups]) => [`alerts/${name}`, ruleFile(groups)]),
  );
  files.set('deploy/kubernetes/prometheus-rule.yaml', prometheusRule());
  return files.set('docs/alerts.md', alertTable());
}

function yaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

function wireGroup({ name, interval, rules }: RuleGroup) {
  return { name, ...(interval !== undefined && { interval }), rules: rules.map(wireRule) };
}

function wireRule(rule: AlertRule | RecordingRule) {
  if (!isAlert(rule)) return rule;
  const { alert, expr, severity, labels, summary, description } = rule;
  return {
    alert,
    expr,
    ...(rule.for !== undefined && { for: rule.for }),
    labels: { severity, ...labels },
    annotations: { summary, description, runbook_url: runbookUrl(alert) },
  };
}

/** A heading's anchor is its text in lower case. */
export function runbookUrl(alert: string): string {
  return `${thresholds.runbook}#${alert.toLowerCase()}`;
}
