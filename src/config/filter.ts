import { z } from 'zod';
import type { Filterable, ListFilter } from '../api/filtered-service.ts';
import { reportSentence } from '../lib/schema-problems.ts';
import type { Selectors } from '../slo/objectives.ts';
import { isText, isWholeNumber, listField } from './fields.ts';

/**
 * Returns whether the whole text matches the pattern. `*` matches any text; any other character
 * matches itself. Each part of the pattern takes linear time, because there is no backtracking.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || text.length < first.length + last.length) return false;
  if (!text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

interface FilterSettings {
  readonly include?: Selectors | undefined;
  readonly exclude?: Selectors | undefined;
}

/** Keeps what `include` selects (without it, everything), except what `exclude` selects. */
export function createListFilter({ include, exclude }: FilterSettings): ListFilter {
  return (listed) =>
    (include === undefined || selects(include, listed)) &&
    (exclude === undefined || !selects(exclude, listed));
}

/** One matching id, name or tag is enough. */
function selects({ ids = [], names = [], tags = [] }: Selectors, listed: Filterable): boolean {
  return (
    ids.includes(listed.id) ||
    names.some((pattern) => matchesPattern(pattern, listed.name)) ||
    tags.some((pattern) => listed.tags.some(({ name }) => matchesPattern(pattern, name)))
  );
}

export const patternList = (description: string) =>
  listField({
    description,
    allowed: 'a list of patterns in quotes, such as ["shop-*"]',
    item: { type: 'string', minLength: 1 },
    isEntry: isText,
  }).optional();

export const idList = (description: string) =>
  listField({
    description,
    allowed: 'a list of ids, such as [85975, 161748]',
    item: { type: 'integer', minimum: 1 },
    isEntry: (value): value is number => isWholeNumber(value) && value > 0,
  }).optional();

/** Refuses a mapping of selectors without any. */
export function selectsSomething(keys: readonly string[]) {
  return (selectors: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    if (keys.some((key) => selectors[key] !== undefined)) return;
    const choices = `${keys.slice(0, -1).join(', ')} or ${keys.at(-1)}`;
    reportSentence(context, [], `matches nothing; give it ${choices}`);
  };
}

const selection = (description: string) =>
  z
    .strictObject({
      ids: idList('Their ids.'),
      names: patternList('Their names; `*` matches any text.'),
      tags: patternList('Their tags; `*` matches any text. One matching tag is enough.'),
    })
    .superRefine(selectsSomething(['ids', 'names', 'tags']))
    .meta({ description });

export const filterSchema = z
  .strictObject({
    include: selection('Monitor only these. One matching id, name or tag is enough.').optional(),
    exclude: selection('Do not monitor these, even if they are included.').optional(),
  })
  .meta({
    description:
      'Checks and transactions to monitor. The others cost no requests and have no series. The counters of one that is excluded later are kept for seven days.',
  });
