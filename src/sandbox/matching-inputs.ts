import type { z } from 'zod';
import type { Inputs } from './query-parameters.ts';
import { Refusal } from './refusal.ts';

/** The parameters as `schema` gives them. Throws a 400 that names the first one that does not match. */
export function matchingInputs<S extends z.ZodType>(schema: S, inputs: Inputs): z.output<S> {
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue === undefined ? '' : nameOf(issue.path);
  throw new Refusal(400, `Parameter ${name} is not valid: ${issue?.message}`);
}

function nameOf(path: readonly PropertyKey[]): string {
  return path
    .map((key, depth) => {
      if (typeof key === 'number') return `[${key}]`;
      return depth === 0 ? String(key) : `.${String(key)}`;
    })
    .join('');
}
