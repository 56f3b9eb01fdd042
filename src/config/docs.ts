import { datasetPolicies } from '../datasets/policies.ts';
import { datasetNames } from '../domain/dataset.ts';
import { configurationSchema } from './configuration.ts';
import { metadataOf } from './fields.ts';
import { formatDuration } from './quantities.ts';
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
      const { enabledByDefault, floorSeconds, versions } = datasetPolicies[name];
      return `| \`${name}\` | ${enabledByDefault} | \`${formatDuration(floorSeconds)}\` | ${versions.join(', ')} |`;
    }),
    '',
  ].join('\n');
}

function isOfDataset(name: string): boolean {
  return name.startsWith('accounts[].datasets.');
}

function settingRow({ name, schema, optional }: Setting): string {
  const { description = '', allowed = '', defaultText } = metadataOf(schema);
  const fallback = defaultText === undefined ? '' : `\`${defaultText}\``;
  const cells = [`\`${name}\``, allowed, optional ? fallback : 'required', description];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
