import { stringify } from 'yaml';
import type { RuleParameters } from './parameters.ts';
import { renderRules } from './render-rules.ts';
import type { RuleFileName } from './template.ts';

const header =
  '# Written by `uptime-exporter rules`, which also takes your job, links and thresholds.\n';

/** A rule file as Prometheus loads it. */
export function ruleFile(name: RuleFileName, parameters: RuleParameters): string {
  return yaml({ groups: renderRules(parameters, name) });
}

export function wholeRuleFile(parameters: RuleParameters): string {
  return yaml({ groups: renderRules(parameters) });
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
    spec: { groups: renderRules(parameters) },
  });
}

function yaml(value: unknown): string {
  return header + stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
