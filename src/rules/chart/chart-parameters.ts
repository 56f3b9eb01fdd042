import { stringify } from 'yaml';
import { defaultParameters } from '../parameters.ts';

/** The default parameters, with which the Helm chart renders its copy of rules.yaml. */
export function chartParameters(): string {
  const { job, identity, links, lowSeverity, thresholds } = defaultParameters;
  const defaults = { job, identity, links, low_severity: lowSeverity, thresholds };
  return [
    '# Written by `npm run generate` from src/rules/parameters.ts; change them there.\n',
    stringify(defaults, { lineWidth: 0 }),
  ].join('');
}
