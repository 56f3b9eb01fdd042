import { z } from 'zod';
import type { Path, Problem } from '../../lib/yaml-source.ts';
import { metadataOf } from '../fields.ts';
import { keyNamesOf, keysOf, schemaAt } from '../schema-walk.ts';
import { formatPath } from './problem.ts';
import { describeKind, redactValue } from './redact.ts';
import { describeUnknownKey } from './unknown-key.ts';

/** What zod found, in words: where it is, what stands there and what may stand there. */
export function schemaProblems(schema: z.ZodType, value: unknown, error: z.ZodError): Problem[] {
  const known = keyNamesOf(schema);
  return error.issues.flatMap((issue): Problem[] => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    if (issue.code === 'unrecognized_keys') {
      const allowed = keysOf(schemaAt(schema, path));
      return issue.keys.map((key) => unknownKeyProblem([...path, key], key, allowed, known));
    }
    return [{ path, at: 'value', message: describeBadValue(schema, path, value, issue.message) }];
  });
}

function unknownKeyProblem(
  path: Path,
  key: string,
  allowed: readonly string[],
  known: ReadonlySet<string>,
): Problem {
  const place = formatPath(path.slice(0, -1)) || 'the file';
  const words = describeUnknownKey(key, allowed, known);
  const joint = words.endsWith('?') ? '' : ';';
  return { path, at: 'key', message: `${place}: ${words}${joint} allowed: ${allowed.join(', ')}` };
}

function describeBadValue(schema: z.ZodType, path: Path, value: unknown, said: string): string {
  const place = formatPath(path) || 'the file';
  const target = schemaAt(schema, path);
  const allowed = allowedAt(target, said);
  const found = valueAt(value, path);
  if (found === undefined) return `${place}: missing; allowed: ${allowed}`;
  const words = isHidden(target) && isScalar(found) ? describeKind(found) : redactValue(found);
  return `${place}: found ${words}; allowed: ${allowed}`;
}

function isHidden(target: z.ZodType | undefined): boolean {
  const isContainer = target instanceof z.ZodObject || target instanceof z.ZodArray;
  return target === undefined || isContainer || metadataOf(target).hidden === true;
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== 'object';
}

function allowedAt(target: z.ZodType | undefined, said: string): string {
  if (target instanceof z.ZodObject) return `a mapping of ${keysOf(target).join(', ')}`;
  if (target instanceof z.ZodArray) return 'a list of at least one mapping';
  return said;
}

function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined;
  }
  return found;
}
