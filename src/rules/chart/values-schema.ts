import { accountSchema } from '../../config/account.ts';
import { configurationSchema } from '../../config/configuration.ts';
import { jsonSchemaOf } from '../../config/docs.ts';
import { parametersSchema } from '../read-parameters.ts';

/** Keys of an account that cannot be set in the chart, because it writes them from other values. */
const writtenOfAccount = [
  'name',
  'base_url',
  'version',
  'token',
  'token_file',
  'email',
  'password',
  'password_file',
  'app_key',
  'app_key_file',
  // It would be in a ConfigMap.
  'hook_secret',
] as const;

/** Keys that the chart decides by its flags, ports and probes. */
const decidedByChart = ['listen_address', 'route_prefix', 'telemetry_path'] as const;

/** Sections of the exporter's files in the chart's values, as schema definitions. */
export function valuesDefinitions(): Readonly<Record<string, object>> {
  const configuration = jsonSchemaOf(configurationSchema);
  const { web = {} } = configuration.properties ?? {};
  const sections = only(configuration, (key) => !includes(['accounts', 'storage'], key));
  return {
    account: only(jsonSchemaOf(accountSchema), (key) => !includes(writtenOfAccount, key)),
    configuration: {
      ...sections,
      properties: {
        ...sections.properties,
        web: only(web, (key) => !includes(decidedByChart, key)),
      },
    },
    ruleParameters: only(jsonSchemaOf(parametersSchema), () => true),
  };
}

type JsonSchema = ReturnType<typeof jsonSchemaOf>;
type Node = NonNullable<JsonSchema['properties']>[string];

function includes(keys: readonly string[], key: string): boolean {
  return keys.includes(key);
}

/** A mapping with only these keys, none of them required. */
function only(schema: Node, isKept: (key: string) => boolean): JsonSchema {
  if (typeof schema === 'boolean') throw new Error('a mapping has a schema with keys');
  const { $schema: _, required: __, properties = {}, ...rest } = schema;
  const kept = Object.entries(properties).filter(([key]) => isKept(key));
  return { ...rest, properties: Object.fromEntries(kept) };
}
