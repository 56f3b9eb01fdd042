import { formatDuration } from '../config/quantities.ts';
import type { RuleParameters } from './parameters.ts';
import { groupsOf, ruleFileNames } from './rule-groups.ts';

/** The page about the alerts: each in a row of a table, linked to its section of the runbook. */
export function alertTable(parameters: RuleParameters): string {
  const rows = ruleFileNames.flatMap((file) =>
    groupsOf(file, parameters).flatMap(({ rules }) =>
      rules.map(({ alert, severity, summary, forSeconds }) => {
        const link = `[${alert}](runbook.md#${alert.toLowerCase()})`;
        const level = typeof severity === 'string' ? severity : severity.words;
        const wait = forSeconds === undefined ? 'at once' : formatDuration(forSeconds);
        return `| ${link} | ${level} | ${wait} | ${plainText(summary)} | ${file} |`;
      }),
    ),
  );
  return [
    '<!-- Written by `npm run generate` from src/rules; change it there. -->',
    '',
    '# The alerts',
    '',
    'What to do about each is in the [runbook](runbook.md). How to set them up, and how to change thresholds,',
    'severities and waits without editing a rule file, is in [alerting.md](alerting.md).',
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
    .replaceAll(/\{\{ with .*?\) \}\}(.*?)\{\{ end \}\}/g, ' [$1 ]')
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '‹$1›')
    .replaceAll(/\{\{ (?:\$value|\.)[^}]*\}\}/g, '‹n›')
    .replaceAll('  ', ' ');
}
