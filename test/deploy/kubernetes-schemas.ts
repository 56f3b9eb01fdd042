import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { toolPath } from '../support/tools.ts';

type Schema = Record<string, unknown>;

/** A type as the API machinery of Kubernetes describes it, by one of these. */
interface Type {
  readonly namedType?: string;
  readonly scalar?: 'string' | 'numeric' | 'boolean' | 'untyped';
  readonly list?: { readonly elementType: Type };
  readonly map?: {
    readonly fields?: readonly { readonly name: string; readonly type: Type }[];
    readonly elementType?: Type;
  };
}

const scalars = { string: ['string'], numeric: ['number'], boolean: ['boolean'] } as const;

/**
 * Writes JSON schemas of Kubernetes' kinds into a folder, with the names that kubeconform expects.
 * They come from the API types of helm's Kubernetes libraries, and reject unknown fields.
 */
export async function writeKubernetesSchemas(folder: string, kinds: ReadonlySet<string>) {
  const file = join(toolPath('helm'), '..', 'kubernetes-types.yaml');
  const { types }: { types: (Type & { name: string })[] } = parse(
    `types:\n${await readFile(file, 'utf8')}`,
  );
  const named = new Map(types.map((type) => [type.name, type]));
  await mkdir(folder, { recursive: true });
  for (const { name } of types) {
    const [, group = '', version, kind = ''] =
      name.match(/^io\.k8s\.api\.(\w+)\.(\w+)\.(\w+)$/) ?? [];
    if (!kinds.has(kind)) continue;
    const parts = group === 'core' ? [kind, version] : [kind, group, version];
    const path = join(folder, `${parts.join('-').toLowerCase()}.json`);
    await writeFile(path, JSON.stringify(schemaOf({ namedType: name }, named)));
  }
}

function schemaOf(type: Type, named: ReadonlyMap<string, Type>): Schema {
  const { namedType, scalar, list, map } = type;
  if (namedType !== undefined) {
    const target = named.get(namedType);
    if (target === undefined) throw new Error(`Kubernetes has no type ${namedType}`);
    return schemaOf(target, named);
  }
  if (scalar === 'untyped') return {};
  if (scalar !== undefined) return { type: scalars[scalar] };
  if (list !== undefined) return { type: 'array', items: schemaOf(list.elementType, named) };
  const { fields, elementType } = map ?? {};
  if (fields === undefined) {
    return {
      type: 'object',
      additionalProperties: elementType === undefined ? {} : schemaOf(elementType, named),
    };
  }
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, type }) => [name, schemaOf(type, named)])),
    additionalProperties: false,
  };
}
