import { z } from 'zod';
import { type FieldMetadata, metadataOf } from '../lib/schema-problems.ts';
import { type Setting, settingsOf } from '../lib/schema-walk.ts';
import { configurationSchema } from './configuration.ts';

const conversion = { io: 'input', unrepresentable: 'any' } as const;

/** Lists every setting of the configuration file, as Markdown tables. */
export function configurationMarkdown(): string {
  const rows = [...settingsOf(configurationSchema)];
  return [
    '| Setting | Allowed | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...rows.filter(({ name }) => !name.startsWith(datasetPrefix)).map(settingRow),
    '',
    '### Datasets',
    '',
    ...datasetSection(rows),
    '',
    'Editors that understand JSON Schema complete and check the file with `docs/configuration.schema.json`. For the',
    'YAML language server, begin the file with `# yaml-language-server: $schema=<path or URL of the schema>`.',
    '',
  ].join('\n');
}

/** Returns the configuration file as JSON Schema, for editors. The exporter itself checks more. */
export function configurationJsonSchema(): object {
  return jsonSchemaOf(configurationSchema);
}

/** Returns the JSON Schema of our fields, with their metadata as descriptions. */
export function jsonSchemaOf(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, {
    ...conversion,
    override: ({ jsonSchema }) => {
      const { allowed, defaultText, json = {} } = jsonSchema as Partial<FieldMetadata>;
      for (const key of ['allowed', 'defaultText', 'hidden', 'areWords', 'json', 'apiVersions']) {
        delete jsonSchema[key];
      }
      const notes = [
        ...(allowed === undefined ? [] : [`Allowed: ${allowed}.`]),
        ...(defaultText === undefined ? [] : [`Default: ${defaultText}.`]),
      ];
      const description = [jsonSchema.description, ...notes].filter(Boolean).join(' ');
      Object.assign(jsonSchema, json);
      if (description !== '') jsonSchema.description = description;
    },
  });
}

const datasetPrefix = 'accounts[].datasets.';

function settingRow({ name, schema, optional }: Setting): string {
  const { description = '', allowed = '', defaultText } = metadataOf(schema);
  const defaultCell = defaultText === undefined ? '' : `\`${defaultText}\``;
  return tableRow([`\`${name}\``, allowed, optional ? defaultCell : 'required', description]);
}

function datasetSection(rows: readonly Setting[]): string[] {
  const datasets = rows.filter(({ name }) => /^accounts\[\]\.datasets\.\w+$/.test(name));
  const settingsOfDataset = ({ schema }: Setting) =>
    new Map([...settingsOf(schema)].map((setting) => [setting.name, metadataOf(setting.schema)]));
  const all = new Map(datasets.flatMap((dataset) => [...settingsOfDataset(dataset)]));
  const names = [...all.keys()].toSorted();
  return [
    'Each dataset is a key of `accounts[].datasets` with these settings; a dash means that it lacks the setting.',
    '',
    ...names.map((name) => {
      const { description = '', allowed = '' } = all.get(name) ?? {};
      return `- \`${name}\` (${allowed}): ${description}`;
    }),
    '',
    tableRow(['Dataset', ...names.map((name) => `\`${name}\``), 'API versions']),
    tableRow(['---', ...names.map(() => '---'), '---']),
    ...datasets.map((dataset) => {
      const own = settingsOfDataset(dataset);
      const defaults = names.map((name) => own.get(name)?.defaultText);
      const cells = defaults.map((text) => (text === undefined ? '-' : `\`${text}\``));
      const { apiVersions = '' } = metadataOf(dataset.schema);
      return tableRow([`\`${dataset.name.slice(datasetPrefix.length)}\``, ...cells, apiVersions]);
    }),
  ];
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
