import { Document, visit } from 'yaml';
import { defaultParameters, type RuleParameters } from './parameters.ts';
import { type RuleGroup, renderRules } from './render-rules.ts';
import { type RuleSet, ruleSetNames } from './rule-sets.ts';

const header =
  '# Written by `uptime-exporter rules`, which also takes your job, links and thresholds.\n';

/** A rule file as Prometheus loads it. */
export function ruleFile(parameters: RuleParameters): string {
  return yaml({ groups: renderRules(parameters) });
}

/** The delivered files by their path: the default rules, and one file for each set. */
export function deliveredRuleFiles(): ReadonlyMap<string, string> {
  const byDefault = renderRules(defaultParameters);
  const isAdded = ({ name }: RuleGroup) => !byDefault.some((group) => group.name === name);
  const ofSet = (set: RuleSet) =>
    yaml({ groups: renderRules({ ...defaultParameters, with: [set] }).filter(isAdded) });
  return new Map([
    ['alerts/uptime.yaml', ruleFile(defaultParameters)],
    ...ruleSetNames.map((set): [string, string] => [`alerts/with/${set}.yaml`, ofSet(set)]),
  ]);
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

/** The meaning of a recorded series becomes the comment above its rule. */
function yaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Map: (_, map) => {
      const means = map.get('means');
      if (typeof means !== 'string') return;
      map.delete('means');
      map.commentBefore = ` ${means}`;
    },
  });
  return header + document.toString({ lineWidth: 0 });
}
