import { isAlert } from './rule.ts';
import { ruleFiles } from './rule-groups.ts';

/** Of the page about the alerts: each in a row of a table, linked to its section of the runbook. */
export function alertTable(): string {
  const rows = Object.entries(ruleFiles).flatMap(([file, groups]) =>
    groups.flatMap(({ rules }) =>
      rules.filter(isAlert).map(({ alert, severity, summary, ...rule }) => {
        const link = `[${alert}](runbook.md#${alert.toLowerCase()})`;
        return `| ${link} | ${severity} | ${rule.for ?? 'at once'} | ${plainText(summary)} | ${file} |`;
      }),
    ),
  );
  return [
    '<!-- Written by `npm run generate` from alerts/source; change it there. -->',
    '',
    '# The alerts',
    '',
    'Thresholds and objectives are in [alerts/source/thresholds.ts](../alerts/source/thresholds.ts), what to do',
    'is in the [runbook](runbook.md), how to set them up in [alerting.md](alerting.md).',
    '',
    '| Alert | Severity | After | Says | File |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** Templates as a reader sees them: the name of the label, or a number. */
function plainText(template: string): string {
  return template
    .replaceAll(/\{\{ if .*?\}\}(.*?)\{\{ end \}\}/g, ' [$1 ]')
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '‹$1›')
    .replaceAll(/\{\{ \$value[^}]*\}\}/g, '‹n›')
    .replaceAll('  ', ' ');
}
