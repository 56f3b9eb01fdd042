import type { z } from 'zod';
import { pathText } from '../lib/options.ts';
import { HttpError } from './http-error.ts';

/**
 * The parameters of a request from its path, query or body. From a path, a query or a form they are
 * strings, or arrays of strings for repeated names; from JSON any value.
 */
export type Inputs = Readonly<Record<string, unknown>>;

export interface Range {
  readonly min: number;
  readonly max?: number | undefined;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * Throws a 400 for a parameter that is not among `names`; `{X}` in a name stands for any whole
 * number.
 */
export function requireKnown(inputs: Inputs, names: readonly string[]): void {
  for (const name of Object.keys(inputs)) {
    if (names.includes(name) || names.includes(name.replace(/\d+$/, '{X}'))) continue;
    throw new HttpError(
      400,
      `Unknown parameter ${name}; allowed are: ${names.join(', ') || 'none'}`,
    );
  }
}

/** Throws a 400 unless the parameter is absent or text; null in JSON counts as empty text. */
export function textParameter(inputs: Inputs, name: string): string | undefined {
  const value = inputs[name];
  if (value === undefined || typeof value === 'string') return value;
  if (value === null) return '';
  throw new HttpError(400, `Parameter ${name} must be text, not ${JSON.stringify(value)}`);
}

/** Throws a 400 unless the parameter is absent or a whole number in the range. */
export function integerParameter(inputs: Inputs, name: string, range: Range): number | undefined {
  const value = inputs[name];
  return value === undefined ? undefined : wholeNumber(value, name, range);
}

/** Throws a 400 unless the parameter is absent (`absent` then) or a boolean. */
export function booleanParameter(inputs: Inputs, name: string, absent = false): boolean {
  return optionalBoolean(inputs, name) ?? absent;
}

/** Throws a 400 unless the parameter is absent or a boolean: true, false, 1 or 0. */
export function optionalBoolean(inputs: Inputs, name: string): boolean | undefined {
  const given = inputs[name];
  if (given === undefined) return undefined;
  const value = isScalar(given) ? booleans.get(String(given).toLowerCase()) : undefined;
  if (value === undefined) {
    throw new HttpError(
      400,
      `Parameter ${name} must be true or false, not ${JSON.stringify(given)}`,
    );
  }
  return value;
}

/** Throws a 400 unless the parameter is absent or one of the words. */
export function enumParameter<W extends string>(
  inputs: Inputs,
  name: string,
  words: readonly W[],
): W | undefined {
  const text = textParameter(inputs, name);
  if (text === undefined) return undefined;
  const word = words.find((each) => each === text);
  if (word === undefined) {
    throw new HttpError(400, `Parameter ${name} must be one of ${words.join(', ')}, not "${text}"`);
  }
  return word;
}

/**
 * The words of a list: a JSON array, a repeated parameter, or comma-separated text; none when the
 * parameter is absent or empty. Throws a 400 for an array with other values than text, numbers and
 * booleans.
 */
export function listParameter(inputs: Inputs, name: string): string[] {
  const value = inputs[name] ?? '';
  if (!Array.isArray(value) && !isScalar(value)) throw notAList(name, value);
  const items: readonly unknown[] = Array.isArray(value) ? value : String(value).split(',');
  return items
    .map((item) => {
      if (!isScalar(item)) throw notAList(name, value);
      return String(item).trim();
    })
    .filter((word) => word !== '');
}

/**
 * A list of whole numbers of 0 or more; none when the parameter is absent or empty. Throws a 400
 * otherwise.
 */
export function integerListParameter(inputs: Inputs, name: string): number[] {
  return listParameter(inputs, name).map((word) => wholeNumber(word, name, { min: 0 }));
}

/**
 * A list of words from `words`; none when the parameter is absent or empty. Throws a 400 for any
 * other word.
 */
export function enumListParameter<W extends string>(
  inputs: Inputs,
  name: string,
  words: readonly W[],
): W[] {
  return listParameter(inputs, name).flatMap(
    (word) => enumParameter({ [name]: word }, name, words) ?? [],
  );
}

/** Throws a 400 when `value` is absent or empty. */
export function requiredParameter<T>(name: string, value: T | undefined): T {
  const empty = value === '' || (Array.isArray(value) && value.length === 0);
  if (value === undefined || empty) throw new HttpError(400, `Parameter ${name} is required`);
  return value;
}

/** A result page of a list. `offset` requires `limit` (API 3.1, section 4.1). */
export function pageParameters(inputs: Inputs, defaultLimit: number, largestLimit: number) {
  const limit = integerParameter(inputs, 'limit', { min: 1, max: largestLimit });
  const offset = integerParameter(inputs, 'offset', { min: 0 });
  if (offset !== undefined && limit === undefined) {
    throw new HttpError(400, 'Parameter offset requires parameter limit');
  }
  return { limit: limit ?? defaultLimit, offset: offset ?? 0 };
}

function wholeNumber(given: unknown, name: string, { min, max }: Range): number {
  const text = isScalar(given) ? String(given) : '';
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER))) {
    const bounds = max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
    const found = JSON.stringify(given);
    throw new HttpError(400, `Parameter ${name} must be a whole number ${bounds}, not ${found}`);
  }
  return value;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function notAList(name: string, value: unknown): HttpError {
  return new HttpError(
    400,
    `Parameter ${name} must be a list of words or numbers, not ${JSON.stringify(value)}`,
  );
}

/** The parameters parsed by `schema`. Throws a 400 that names the first mismatch. */
export function matchingInputs<S extends z.ZodType>(schema: S, inputs: Inputs): z.output<S> {
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = pathText(issue?.path ?? []);
  throw new HttpError(400, `Parameter ${name} is not valid: ${issue?.message}`);
}
