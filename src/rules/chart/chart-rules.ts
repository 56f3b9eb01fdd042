import { stringify } from 'yaml';
import { defaultParameters } from '../parameters.ts';
import { templateText } from '../template.ts';

/** The template with the default parameters, which the Helm chart renders with its values. */
export function chartRules(): string {
  const { job, identity, links, lowSeverity, thresholds } = defaultParameters;
  const defaults = { job, identity, links, low_severity: lowSeverity, thresholds };
  return [
    '# Written by `npm run generate` from src/rules/rules.yaml; change it there. templates/_rules.tpl renders it.\n',
    stringify({ defaults }, { lineWidth: 0 }),
    templateText,
  ].join('\n');
}
