import { z } from 'zod';
import { configurationSchema } from './configuration.ts';

/** A node of the JSON Schema, with the metadata of the fields. */
interface SchemaNode {
  readonly description?: string;
  readonly allowed?: string;
  readonly defaultText?: string;
  readonly hidden?: boolean;
  readonly json?: object;
  readonly apiVersions?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
}

const conversion = { io: 'input', unrepresentable: 'any' } as const;

/** Lists every setting of the configuration file, as Markdown tables. */
export function configurationMarkdown(): string {
  const root = z.toJSONSchema(configurationSchema, conversion) as SchemaNode;
  const rows = [...rowsOf(root)];
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
      const { allowed, defaultText, json = {} } = jsonSchema as SchemaNode;
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

interface Row {
  /** The path of the setting, such as `accounts[].budget.reserve.short`. */
  readonly name: string;
  readonly node: SchemaNode;
  readonly isRequired: boolean;
}

/** Yields every key; a mapping comes before its contents. */
function* rowsOf({ properties, items, required = [] }: SchemaNode, prefix = ''): Generator<Row> {
  if (items !== undefined) yield* rowsOf(items, `${prefix}[]`);
  for (const [key, node] of Object.entries(properties ?? {})) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    yield { name, node, isRequired: required.includes(key) };
    yield* rowsOf(node, name);
  }
}

function settingRow({ name, node, isRequired }: Row): string {
  const { description = '', allowed = '', defaultText } = node;
  const defaultCell = defaultText === undefined ? '' : `\`${defaultText}\``;
  return tableRow([`\`${name}\``, allowed, isRequired ? 'required' : defaultCell, description]);
}

function datasetSection(rows: readonly Row[]): string[] {
  const datasets = rows.filter(({ name }) => /^accounts\[\]\.datasets\.\w+$/.test(name));
  const settings = new Map<string, SchemaNode>(
    datasets.flatMap(({ node }) => Object.entries(node.properties ?? {})),
  );
  const names = [...settings.keys()].toSorted();
  return [
    'Each dataset is a key of `accounts[].datasets` with these settings; a dash means that it lacks the setting.',
    '',
    ...names.map((name) => {
      const { description = '', allowed = '' } = settings.get(name) ?? {};
      return `- \`${name}\` (${allowed}): ${description}`;
    }),
    '',
    tableRow(['Dataset', ...names.map((name) => `\`${name}\``), 'API versions']),
    tableRow(['---', ...names.map(() => '---'), '---']),
    ...datasets.map(({ name, node: { properties, apiVersions = '' } }) => {
      const defaults = names.map((setting) => properties?.[setting]?.defaultText);
      const cells = defaults.map((text) => (text === undefined ? '-' : `\`${text}\``));
      return tableRow([`\`${name.slice(datasetPrefix.length)}\``, ...cells, apiVersions]);
    }),
  ];
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
