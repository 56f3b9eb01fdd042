import { z } from 'zod';
import type { Path, Problem } from '../../lib/yaml-source.ts';
import { metadataOf } from '../fields.ts';
import { keyNamesOf, keysOf, schemaAt } from '../schema-walk.ts';
import { formatPath } from './problem.ts';
import { describeKind, redactValue } from './redact.ts';
import { describeUnknownKey } from './unknown-key.ts';

/** Describes what zod found: where it is, what is there and what is allowed there. */
export function schemaProblems(
  schema: z.ZodType,
  value: unknown,
  error: z.ZodError,
  nameOf: (path: Path) => string = (path) => formatPath(path) || 'the file',
): Problem[] {
  const known = keyNamesOf(schema);
  return error.issues.flatMap((issue): Problem[] => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    if (issue.code === 'unrecognized_keys') {
      const allowed = keysOf(schemaAt(schema, path));
      return issue.keys.map((key) =>
        unknownKeyProblem([...path, key], nameOf(path), allowed, known),
      );
    }
    return [
      {
        path,
        at: 'value',
        message: `${nameOf(path)}: ${describeBadValue(schema, path, value, issue.message)}`,
      },
    ];
  });
}

function unknownKeyProblem(
  path: Path,
  place: string,
  allowed: readonly string[],
  known: ReadonlySet<string>,
): Problem {
  const problem = describeUnknownKey(String(path.at(-1)), allowed, known);
  const separator = problem.endsWith('?') ? '' : ';';
  const message = `${place}: ${problem}${separator} allowed: ${allowed.join(', ')}`;
  return { path, at: 'key', message };
}

function describeBadValue(schema: z.ZodType, path: Path, value: unknown, message: string): string {
  const target = schemaAt(schema, path);
  const allowed = allowedAt(target, message);
  const found = valueAt(value, path);
  if (found === undefined) return `missing; allowed: ${allowed}`;
  const shown = isHidden(target) && isScalar(found) ? describeKind(found) : redactValue(found);
  return `found ${shown}; allowed: ${allowed}`;
}

function isHidden(target: z.ZodType | undefined): boolean {
  const isContainer = target instanceof z.ZodObject || target instanceof z.ZodArray;
  return target === undefined || isContainer || metadataOf(target).hidden === true;
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== 'object';
}

function allowedAt(target: z.ZodType | undefined, message: string): string {
  if (target instanceof z.ZodObject) return `a mapping of ${keysOf(target).join(', ')}`;
  if (target instanceof z.ZodArray) return 'a list of at least one mapping';
  return message;
}

function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined;
  }
  return found;
}
