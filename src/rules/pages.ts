import { metadataOf } from '../config/fields.ts';
import { settingsOf } from '../lib/schema-walk.ts';
import { defaultParameters } from './parameters.ts';
import { parametersSchema } from './read-parameters.ts';
import { type AlertRule, isAlert, renderRules } from './render-rules.ts';
import { ruleSetNames, ruleSets } from './rule-sets.ts';
import { ruleTemplate } from './template.ts';

/** The page of the alerts: a row for each, linked to its section of the runbook. */
export function alertTable(): string {
  const byDefault = new Set(renderRules(defaultParameters).map(({ name }) => name));
  const groups = renderRules({ ...defaultParameters, with: ruleSetNames });
  const alertsOf = (names: ReadonlySet<string>) =>
    groups.filter(({ name }) => names.has(name)).flatMap(({ rules }) => rules.filter(isAlert));
  return [
    '<!-- Written by `npm run generate` from src/rules; change it there. -->',
    '',
    '# The alerts',
    '',
    'What to do about each is in the [runbook](runbook.md). How to set them up, and how to change thresholds,',
    'severities and waits without editing a rule file, is in [alerting.md](alerting.md).',
    '',
    `- [By default](#by-default), ${ruleSetNames.map((set) => `[with \`${set}\`](#with-${set})`).join(', ')}`,
    '',
    '## By default',
    '',
    '`alerts/uptime.yaml`, or `uptime-exporter rules`.',
    '',
    ...table(alertsOf(byDefault)),
    ...ruleSetNames.flatMap((set) => [
      `## With \`${set}\``,
      '',
      `About ${ruleSets[set]}. \`alerts/with/${set}.yaml\`, or \`uptime-exporter rules --with=${set}\`.`,
      '',
      ...table(
        alertsOf(
          new Set(ruleTemplate.groups.filter((one) => one.set === set).map(({ name }) => name)),
        ),
      ),
    ]),
  ].join('\n');
}

function table(rules: readonly AlertRule[]): readonly string[] {
  return [
    '| Alert | Severity | After | Says |',
    '| --- | --- | --- | --- |',
    ...rules.map(({ alert, labels: { severity }, for: wait = 'at once', annotations }) => {
      const link = `[${alert}](runbook.md#${alert.toLowerCase()})`;
      return `| ${link} | ${severity} | ${wait} | ${plainText(annotations.summary)} |`;
    }),
    '',
  ];
}

/** Replaces the templates in a text with the names of their labels, or with ‹n› for a number. */
function plainText(template: string): string {
  return (
    template
      .replaceAll(/\{\{ with .*?\) \}\}(?:(?!\{\{ end).)*\{\{ else \}\}(.*?)\{\{ end \}\}/g, '$1')
      .replaceAll(/\{\{ with .*?\) \}\}(.*?)\{\{ end \}\}/g, '[$1]')
      // The last form is the usual one.
      .replaceAll(/\{\{ if .*?\{\{ else \}\}(.*?)\{\{ end \}\}/g, '$1')
      .replaceAll(/\{\{ \(\$value \| toTime\).*? \}\}/g, '‹time›')
      .replaceAll(/\{\{ or \$labels\.(\w+)[^}]*\}\}/g, '‹$1›')
      .replaceAll(/\{\{ \$labels\.(\w+)[^}]*\}\}/g, '‹$1›')
      .replaceAll(/\{\{ first \. \| label "(\w+)" \}\}/g, '‹$1›')
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
