import { z } from 'zod';
import { wordsOf } from './field.ts';
import { nearest } from './nearest.ts';
import { type Path, type Problem, pathText } from './problem.ts';
import { keysOf, schemaAt } from './schema-walk.ts';

/** What zod found, in words: where it is, what stands there and what may stand there. */
export function schemaProblems(schema: z.ZodType, value: unknown, error: z.ZodError): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    if (issue.code === 'unrecognized_keys') {
      const allowed = keysOf(schemaAt(schema, path));
      return issue.keys.map((key) => unknownKey([...path, key], key, allowed));
    }
    return [{ path, at: 'value', message: badValue(schema, path, value, issue.message) }];
  });
}

function unknownKey(path: Path, key: string, allowed: readonly string[]): Problem {
  const near = nearest(key, allowed);
  const hint = near === undefined ? '' : `did you mean "${near}"? `;
  const message = `${pathText(path.slice(0, -1)) || 'the file'}: unknown key ${JSON.stringify(key)}; ${hint}allowed: ${allowed.join(', ')}`;
  return { path, at: 'key', message };
}

function badValue(schema: z.ZodType, path: Path, value: unknown, said: string): string {
  const place = pathText(path) || 'the file';
  const target = schemaAt(schema, path);
  const allowed = allowedAt(target, said);
  const found = valueAt(value, path);
  if (found === undefined) return `${place}: missing; allowed: ${allowed}`;
  const hidden = target === undefined || isContainer(target) || wordsOf(target).hidden === true;
  return `${place}: found ${foundWords(found, hidden)}; allowed: ${allowed}`;
}

/** Text in its place may be anything, a misplaced secret too. */
function isContainer(schema: z.ZodType): boolean {
  return schema instanceof z.ZodObject || schema instanceof z.ZodArray;
}

function allowedAt(target: z.ZodType | undefined, said: string): string {
  if (target instanceof z.ZodObject) return `a mapping of ${keysOf(target).join(', ')}`;
  if (target instanceof z.ZodArray) return 'a list of at least one mapping';
  return said;
}

/** Text is repeated only as far as it helps to find it. */
function foundWords(found: unknown, hidden: boolean): string {
  if (found === null) return 'nothing';
  if (Array.isArray(found)) return found.length === 0 ? 'an empty list' : listWords(found, hidden);
  if (typeof found === 'object') return 'a mapping';
  if (hidden) return typeof found === 'string' ? 'a text' : `a ${typeof found}`;
  if (typeof found === 'string') return JSON.stringify(shortened(found));
  return String(found);
}

function listWords(found: readonly unknown[], hidden: boolean): string {
  const plain = found.every((entry) => ['string', 'number', 'boolean'].includes(typeof entry));
  return plain && !hidden ? shortened(JSON.stringify(found)) : 'a list';
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined;
  }
  return found;
}
