import { metadataOf } from '../config/fields.ts';
import { settingsOf } from '../config/schema-walk.ts';
import { burnTiers } from './parameters.ts';
import { parametersSchema } from './read-parameters.ts';

/** The page about every key of a file for `uptime-exporter rules`. */
export function parametersMarkdown(): string {
  const rows = [...settingsOf(parametersSchema)]
    .filter(({ name }) => !name.startsWith('alerts.'))
    .flatMap(({ name, schema }) => {
      const { description, allowed, defaultText } = metadataOf(schema);
      if (description === undefined) return [];
      return [`| \`${name}\` | ${description} | ${allowed ?? ''} | ${defaultText ?? ''} |`];
    });
  const tiers = burnTiers.map(
    ({ rate, long, short, severity, about }) =>
      `| ${rate} | ${long} | ${short} | ${severity} | ${about} |`,
  );
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
    '| `alerts.NAME.severity` | Of all forms of the alert, instead of its own. | critical, warning, info |  |',
    '| `alerts.NAME.for` | How long the condition must hold, instead of its own wait. | a duration such as 30s, 10m or 1h30m |  |',
    '',
    '`burn` replaces the whole list. By default it is',
    '',
    '| Rate | Long | Short | Severity | About |',
    '| --- | --- | --- | --- | --- |',
    ...tiers,
    '',
  ].join('\n');
}
