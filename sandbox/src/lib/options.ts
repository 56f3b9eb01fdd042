import { z } from 'zod';

// Schemas of options, with messages for people: each is what follows the name of the option.

interface Issue {
  readonly input?: unknown;
}

function shown(input: unknown): string {
  return typeof input === 'number' ? String(input) : JSON.stringify(input);
}

const isRequired = ({ input }: Issue) => (input === undefined ? 'is required' : undefined);

export function whole(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
  const error = (issue: Issue) =>
    isRequired(issue) ?? `must be a whole number ${range}, not ${shown(issue.input)}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** The same from the text of a query or a path. */
export function wholeText(min: number) {
  const numberOf = (given: unknown) =>
    typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;
  return z.preprocess(numberOf, whole(min));
}

export function oneOf<const W extends string>(words: readonly W[]) {
  const error = (issue: Issue) =>
    isRequired(issue) ?? `must be one of ${words.join(', ')}, not ${shown(issue.input)}`;
  return z.enum(words, { error });
}

export const text = z.string({ error: (issue) => isRequired(issue) ?? 'must be text' });
export const filled = text.min(1, 'must not be empty');
export const word = text.regex(/^\S+$/, 'must be text without white space');

/**
 * The value as `schema` reads it. Throws a `RangeError` that names the first invalid option, by
 * default as `name`.
 */
export function valid<S extends z.ZodType>(
  schema: S,
  value: unknown,
  called: (name: string) => string = (name) => name,
): z.output<S> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    throw new RangeError(`there is no option ${issue.keys.join(', ')}`);
  }
  throw new RangeError(`${called(pathText(issue?.path ?? []))} ${issue?.message}`);
}

/** Such as `steps[0].args`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, depth) => {
      if (typeof key === 'number') return `[${key}]`;
      return depth === 0 ? String(key) : `.${String(key)}`;
    })
    .join('');
}
