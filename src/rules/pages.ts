import { metadataOf } from '../config/fields.ts';
import { settingsOf } from '../config/schema-walk.ts';
import type { RuleParameters } from './parameters.ts';
import { filled } from './placeholders.ts';
import { parametersSchema } from './read-parameters.ts';
import { alertRules } from './render-rules.ts';
import { ruleTemplate } from './template.ts';

/** The page of the alerts: a row for each, linked to its section of the runbook. */
export function alertTable(parameters: RuleParameters): string {
  const rendered = new Map(alertRules(parameters).map((rule) => [rule.alert, rule]));
  const rows = ruleTemplate.groups.flatMap(({ file, rules }) =>
    rules.flatMap((template) => {
      const rule = 'alert' in template ? rendered.get(template.alert) : undefined;
      if (rule === undefined || !('alert' in template)) return [];
      const { alert, labels, for: wait = 'at once', annotations } = rule;
      const words = template.severity_words ?? labels?.severity ?? '';
      const link = `[${alert}](runbook.md#${alert.toLowerCase()})`;
      return [
        `| ${link} | ${filled(words, parameters)} | ${wait} | ${plainText(annotations.summary)} | ${file} |`,
      ];
    }),
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

/** Replaces the templates in a text with the names of their labels, or with ‹n› for a number. */
function plainText(template: string): string {
  return (
    template
      .replaceAll(/\{\{ with .*?\) \}\}(.*?)\{\{ end \}\}/g, '[$1]')
      // The last form is the usual one.
      .replaceAll(/\{\{ if .*?\{\{ else \}\}(.*?)\{\{ end \}\}/g, '$1')
      .replaceAll(/\{\{ \(\$value \| toTime\).*? \}\}/g, '‹time›')
      .replaceAll(/\{\{ \$labels\.(\w+)[^}]*\}\}/g, '‹$1›')
      .replaceAll(/\{\{ (?:\$value|\.)[^}]*\}\}/g, '‹n›')
      .replaceAll('  ', ' ')
  );
}

/** The documentation page of all keys of a parameter file for `uptime-exporter rules`. */
export function parametersMarkdown(): string {
  const rows = [...settingsOf(parametersSchema)]
    .filter(({ name }) => !name.startsWith('alerts.'))
    .flatMap(({ name, schema }) => {
      const { description, allowed, defaultText } = metadataOf(schema);
      if (description === undefined) return [];
      return [`| \`${name}\` | ${description} | ${allowed ?? ''} | ${defaultText ?? ''} |`];
    });
  return [
    '<!-- Written by `npm run generate` from src/rules; change it there. -->',
    '',
    '# Parameters of the rules',
    '',
    'Every key of a file for `uptime-exporter rules --config FILE`. All are optional; an unknown key or a bad',
    'value is rejected with its line and column.',
    '',
    '| Key | Meaning | Allowed | Default |',
    '| --- | --- | --- | --- |',
    ...rows,
    '| `alerts.NAME.enabled` | `false` leaves the alert out. | true or false | true |',
    '| `alerts.NAME.severity` | The severity of all forms of the alert, instead of its own. | critical, warning, info |  |',
    '| `alerts.NAME.for` | How long the condition must be true, instead of its own wait. | a duration such as 30s, 10m or 1h30m |  |',
    '',
  ].join('\n');
}
