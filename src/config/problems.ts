import { z } from 'zod';
import { didYouMean, nearestWord } from '../lib/nearest-word.ts';
import { describeKind, redactValue, redactWord } from '../lib/redact-value.ts';
import { keyNamesOf, keysOf, schemaAt, unwrapOptional } from '../lib/schema-walk.ts';
import type { Path, Problem } from '../lib/yaml-source.ts';
import { isSentence, metadataOf } from './fields.ts';

/** Lists every problem of a configuration, one per line. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Formats a path as in `accounts[0].budget.reserve`. */
export function formatPath(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`,
    )
    .join('');
}

/** The program was called or configured incorrectly. Printed without a stack trace; exit code 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
  readonly exitCode: number;

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = options.exitCode ?? 1;
  }
}

/** Describes a problem that zod found: its place, the value and the allowed values. */
export function schemaProblems(
  schema: z.ZodType,
  value: unknown,
  error: z.ZodError,
  nameOf: (path: Path) => string = (path) => formatPath(path) || 'the file',
): Problem[] {
  const known = keyNamesOf(schema);
  // A misspelt key comes before the key that is missing because of it.
  const isKey = ({ code }: z.core.$ZodIssue) => code === 'unrecognized_keys';
  const issues = error.issues.toSorted((a, b) => Number(isKey(b)) - Number(isKey(a)));
  return issues.flatMap((issue): Problem[] => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    if (issue.code === 'unrecognized_keys') {
      const target = schemaAt(schema, path);
      const allowed = { keys: keysOf(target), secret: hasSecrets(target) };
      return issue.keys.map((key) => {
        const at = [...path, key];
        const isSet = (valueAt(value, at) ?? undefined) !== undefined;
        return unknownKeyProblem(at, nameOf(path), { ...allowed, isSet }, known);
      });
    }
    const message = isSentence(issue)
      ? issue.message
      : describeBadValue(schema, path, value, issue.message);
    return [{ path, at: 'value', message: `${nameOf(path)}: ${message}` }];
  });
}

interface UnknownKeyContext {
  /** The allowed keys. */
  readonly keys: readonly string[];
  /** One of these is for a secret. */
  readonly secret: boolean;
  /** The unknown key has a value. */
  readonly isSet: boolean;
}

function hasSecrets(target: z.ZodType | undefined): boolean {
  return (
    target instanceof z.ZodObject &&
    Object.values(target.shape).some((value) => metadataOf(unwrapOptional(value)).hidden === true)
  );
}

function unknownKeyProblem(
  path: Path,
  place: string,
  context: UnknownKeyContext,
  known: ReadonlySet<string>,
): Problem {
  const problem = describeUnknownKey(String(path.at(-1)), context, known);
  const choices = problem.endsWith('?') ? '' : `; allowed: ${someOf(context.keys)}`;
  const message = `${place}: ${problem}${choices}`;
  return { path, at: 'key', message };
}

function describeBadValue(schema: z.ZodType, path: Path, value: unknown, message: string): string {
  const target = schemaAt(schema, path);
  const allowed = allowedAt(target, message);
  const found = valueAt(value, path);
  if (found === undefined) return `missing; allowed: ${allowed}`;
  if (found === '' || (found === null && path.length === 0)) return `is empty; allowed: ${allowed}`;
  return `found ${shownValue(target, found)}; allowed: ${allowed}`;
}

function shownValue(target: z.ZodType | undefined, found: unknown): string {
  if (isHidden(target) && isScalar(found)) return describeKind(found);
  const areWords = target !== undefined && metadataOf(target).areWords === true;
  return areWords ? redactWord(found) : redactValue(found);
}

function isHidden(target: z.ZodType | undefined): boolean {
  const isContainer = target instanceof z.ZodObject || target instanceof z.ZodArray;
  return target === undefined || isContainer || metadataOf(target).hidden === true;
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== 'object';
}

function allowedAt(target: z.ZodType | undefined, message: string): string {
  if (target instanceof z.ZodObject) return `a mapping of ${someOf(keysOf(target))}`;
  if (target instanceof z.ZodArray) {
    const [key] = keysOf(target.element as z.ZodType);
    return `a list of one or more, each beginning with "- ", such as "- ${key}: …"`;
  }
  return message;
}

function someOf(keys: readonly string[]): string {
  if (keys.length <= 13) return keys.join(', ');
  return `${keys.slice(0, 4).join(', ')}, … (see docs/configuration.md)`;
}

function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined;
  }
  return found;
}

/**
 * Describes a key that is not allowed. In a flow mapping a secret can become part of a key
 * (`{token:abc}`) or be the key (`{abc}`), which then has no value. In a mapping that can contain
 * secrets, a key without a value is therefore repeated only if it is a known key or close to an
 * allowed one. All others are repeated if they are words of letters.
 */
export function describeUnknownKey(
  key: string,
  { keys, secret, isSet }: UnknownKeyContext,
  known: ReadonlySet<string>,
): string {
  const [word = '', rest] = key.split(/[:=\s]/, 2);
  const nearestAllowed = nearestWord(word, keys);
  if (rest !== undefined && nearestAllowed === word) {
    return `the key ${word} must end with a colon and a space`;
  }
  const isNear = nearestAllowed !== undefined && /^[a-z_-]+$/i.test(word);
  const isPlain = (isSet || !secret) && /^[a-z_-]{1,40}$/i.test(word);
  const repeated = known.has(word) || isNear || isPlain;
  return `unknown key${repeated ? ` "${word}"` : ''}${didYouMean(word, keys)}`;
}
