import { z } from 'zod';
import type { Path } from './yaml-source.ts';

/** Returns the schema inside wrappers of values that may be absent or null. */
export function unwrapOptional(schema: z.ZodType): z.ZodType {
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapper ? unwrapOptional(schema.unwrap() as z.ZodType) : schema;
}

/** Returns the keys of a mapping; empty for other schemas. */
export function mappingKeys(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** Returns the schema of the value at a path; undefined for a path outside the schema. */
export function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let found: z.ZodType | undefined = unwrapOptional(schema);
  for (const step of path) {
    if (found instanceof z.ZodObject) found = found.shape[step];
    else if (found instanceof z.ZodArray) found = found.element as z.ZodType;
    else return found;
    if (found === undefined) return undefined;
    found = unwrapOptional(found);
  }
  return found;
}

export interface Setting {
  /** The path of the setting, such as `accounts[].budget.reserve.short`. */
  readonly name: string;
  readonly schema: z.ZodType;
  readonly optional: boolean;
}

/** Yields every key; a mapping comes before its contents. */
export function* settingsOf(schema: z.ZodType, prefix = ''): Generator<Setting> {
  const inner = unwrapOptional(schema);
  if (inner instanceof z.ZodArray) {
    yield* settingsOf(inner.element as z.ZodType, `${prefix}[]`);
    return;
  }
  if (!(inner instanceof z.ZodObject)) return;
  for (const [key, value] of Object.entries(inner.shape as Record<string, z.ZodType>)) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    yield { name, schema: unwrapOptional(value), optional: value instanceof z.ZodOptional };
    yield* settingsOf(value, name);
  }
}

export function keyNamesOf(schema: z.ZodType): ReadonlySet<string> {
  return new Set([...settingsOf(schema)].map(({ name }) => name.replace(/^.*\./, '')));
}
