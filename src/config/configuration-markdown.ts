import { datasetNames } from '../domain/dataset.ts';
import { datasetPolicies, versionsOf } from '../schedule/datasets.ts';
import { configurationSchema } from './configuration-schema.ts';
import { durationText } from './duration.ts';
import { wordsOf } from './field.ts';
import { type Setting, settingsOf } from './schema-walk.ts';

/** Every setting of the configuration file, in Markdown tables. */
export function configurationMarkdown(): string {
  const settings = [...settingsOf(configurationSchema)].filter(({ name }) => !isOfDataset(name));
  return [
    '| Setting | Allowed | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...settings.map(settingRow),
    '',
    'The datasets, each with `enabled` (`true` or `false`; not for `checks`, which everything else needs) and',
    '`floor` (a duration: it is not refreshed more often than this):',
    '',
    '| Dataset | `enabled` | `floor` | API versions |',
    '| --- | --- | --- | --- |',
    ...datasetNames.map((name) => {
      const { enabledByDefault, floorSeconds } = datasetPolicies[name];
      return `| \`${name}\` | ${enabledByDefault} | \`${durationText(floorSeconds)}\` | ${versionsOf(name).join(', ')} |`;
    }),
    '',
  ].join('\n');
}

function isOfDataset(name: string): boolean {
  return name.startsWith('accounts[].datasets.');
}

function settingRow({ name, schema, optional }: Setting): string {
  const { description = '', allowed = '', preset } = wordsOf(schema);
  const fallback = preset === undefined ? '' : `\`${preset}\``;
  const cells = [`\`${name}\``, allowed, optional ? fallback : 'required', description];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
