import { stringify } from 'yaml';
import { defaultParameters, thresholdEntries } from '../parameters.ts';
import type { Marker } from './markers.ts';
import { chartGroups } from './variants.ts';

const header = `# Written by \`npm run generate\` from src/rules; change it there. templates/prometheusrule.yaml replaces each
# @{…} as \`markers\` says, and takes the rules whose \`when\` fits the parameters.
`;

/** The rules for the Helm chart, whose template replaces markers with its values. */
export function chartRules(): string {
  const seen = new Map<string, Marker>();
  const groups = chartGroups(seen);
  const { job, identity, links, lowSeverity } = defaultParameters;
  const thresholds = thresholdEntries().map(([group, keys]) => [
    group,
    Object.fromEntries(keys.map(([key, { value }]) => [key, value])),
  ]);
  return (
    header +
    stringify(
      {
        defaults: {
          job,
          identity,
          links,
          low_severity: lowSeverity,
          thresholds: Object.fromEntries(thresholds),
        },
        markers: Object.fromEntries([...seen].sort(([a], [b]) => (a < b ? -1 : 1))),
        groups,
      },
      { lineWidth: 0, aliasDuplicateObjects: false },
    )
  );
}
