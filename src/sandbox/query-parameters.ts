import { Refusal } from './refusal.ts';

export type Query = Readonly<Record<string, unknown>>;

interface Range {
  readonly min: number;
  readonly max?: number;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Throws a 400 for a parameter that is not among `names`, or that is given more than once. */
export function requireKnown(query: Query, names: readonly string[]): void {
  for (const [name, value] of Object.entries(query)) {
    if (!names.includes(name)) {
      throw new Refusal(
        400,
        `Unknown parameter ${name}; allowed are: ${names.join(', ') || 'none'}`,
      );
    }
    if (typeof value !== 'string') {
      throw new Refusal(400, `Parameter ${name} is given more than once`);
    }
  }
}

export function textParameter(query: Query, name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' ? value : undefined;
}

/** Throws a 400 unless the parameter is absent or a whole number in the range. */
export function integerParameter(query: Query, name: string, range: Range): number | undefined {
  const text = textParameter(query, name);
  if (text === undefined) return undefined;
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  const { min, max = Number.MAX_SAFE_INTEGER } = range;
  if (!(value >= min && value <= max)) {
    const bounds = range.max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
    throw new Refusal(400, `Parameter ${name} must be a whole number ${bounds}, not "${text}"`);
  }
  return value;
}

/** Throws a 400 unless the parameter is absent (false) or a boolean. */
export function booleanParameter(query: Query, name: string): boolean {
  const text = textParameter(query, name);
  if (text === undefined) return false;
  const value = booleans.get(text.toLowerCase());
  if (value === undefined) {
    throw new Refusal(400, `Parameter ${name} must be true or false, not "${text}"`);
  }
  return value;
}

/** The words of a comma-separated list; none when the parameter is absent or empty. */
export function listParameter(query: Query, name: string): string[] {
  return (textParameter(query, name) ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** A page of a list. `offset` requires `limit` (API 3.1, section 4.1). */
export function pageParameters(query: Query, defaultLimit: number, largestLimit: number) {
  const limit = integerParameter(query, 'limit', { min: 1, max: largestLimit });
  const offset = integerParameter(query, 'offset', { min: 0 });
  if (offset !== undefined && limit === undefined) {
    throw new Refusal(400, 'Parameter offset requires parameter limit');
  }
  return { limit: limit ?? defaultLimit, offset: offset ?? 0 };
}
