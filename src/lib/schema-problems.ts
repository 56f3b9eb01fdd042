import { z } from 'zod';
import { isVisible } from './is-visible.ts';
import { didYouMean, nearestWord } from './nearest-word.ts';
import { describeKind, redactValue, redactWord } from './redact-value.ts';
import { keyNamesOf, mappingKeys, schemaAt, unwrapOptional } from './schema-walk.ts';
import type { Path, Problem } from './yaml-source.ts';

/** The text about one setting in documentation, editors and messages. */
export interface FieldMetadata {
  readonly description: string;
  /** The allowed values, as messages show them after "allowed: ". */
  readonly allowed: string;
  /** The default as text; absent without a default. */
  readonly defaultText?: string;
  /** True when messages must not repeat the value, because it may be a secret. */
  readonly hidden?: boolean;
  /** True when the values are words, so that messages may repeat another word. */
  readonly areWords?: boolean;
  /** The versions of the API that have it; absent for all. */
  readonly apiVersions?: string;
  /** The allowed values as JSON Schema, as far as JSON Schema can express them. */
  readonly json?: object;
}

/** Reports a mistake in a whole sentence, where a list of allowed values does not explain it. */
export function reportSentence(
  context: z.RefinementCtx,
  path: readonly string[],
  message: string,
): void {
  context.addIssue({ code: 'custom', path: [...path], ...sentence(message) });
}

/** Marks the message of a check as a whole sentence. */
export const sentence = (message: string) => ({ message, params: { isSentence: true } });

function sentenceOf(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message;
  return issue.code === 'custom' && issue.params?.isSentence === true ? issue.message : undefined;
}

export function metadataOf(schema: z.ZodType): Partial<FieldMetadata> {
  return (schema.meta() ?? {}) as Partial<FieldMetadata>;
}

/** Formats a path as in `accounts[0].budget.reserve`. */
export function formatPath(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`,
    )
    .join('');
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
      const allowed = { keys: mappingKeys(target), secret: hasSecrets(target) };
      return issue.keys.map((key) => {
        const at = [...path, key];
        const isSet = (valueAt(value, at) ?? undefined) !== undefined;
        return unknownKeyProblem(at, nameOf(path), { ...allowed, isSet }, known);
      });
    }
    const message = sentenceOf(issue) ?? describeBadValue(schema, path, value, issue.message);
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
  if (typeof found === 'string' && !isVisible(found)) return `is blank; allowed: ${allowed}`;
  return `found ${shownValue(target, found)}; allowed: ${allowed}`;
}

function shownValue(target: z.ZodType | undefined, found: unknown): string {
  if (isHidden(target)) return describeKind(found);
  const areWords = target !== undefined && metadataOf(target).areWords === true;
  return areWords ? redactWord(found) : redactValue(found);
}

function isHidden(target: z.ZodType | undefined): boolean {
  const isContainer = target instanceof z.ZodObject || target instanceof z.ZodArray;
  return target === undefined || isContainer || metadataOf(target).hidden === true;
}

function allowedAt(target: z.ZodType | undefined, message: string): string {
  if (target instanceof z.ZodObject) return `a mapping of ${someOf(mappingKeys(target))}`;
  const [key] = target instanceof z.ZodArray ? mappingKeys(target.element as z.ZodType) : [];
  if (key !== undefined) {
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
