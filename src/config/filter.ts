import { z } from 'zod';
import type { Filterable, ListFilter } from '../api/filtered-service.ts';
import { isText, isWholeNumber, listField } from './fields.ts';

/**
 * Whether all of the text fits the pattern, in which `*` stands for any text and everything else for
 * itself. The time it takes grows with the length of the text, not with the ways to fit it.
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

interface FilterSelection {
  readonly ids?: readonly number[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

interface FilterSettings {
  readonly include?: FilterSelection | undefined;
  readonly exclude?: FilterSelection | undefined;
}

/** Keeps what `include` selects, or all without it, and of that what `exclude` does not select. */
export function createListFilter({ include, exclude }: FilterSettings): ListFilter {
  return (listed) =>
    (include === undefined || selects(include, listed)) &&
    (exclude === undefined || !selects(exclude, listed));
}

/** One of the ids, names or tags is enough. */
function selects(
  { ids = [], names = [], tags = [] }: FilterSelection,
  listed: Filterable,
): boolean {
  return (
    ids.includes(listed.id) ||
    names.some((pattern) => matchesPattern(pattern, listed.name)) ||
    tags.some((pattern) => listed.tags.some(({ name }) => matchesPattern(pattern, name)))
  );
}

const patterns = (description: string) =>
  listField(
    { description, allowed: 'a list of patterns in quotes, such as ["shop-*"]' },
    isText,
  ).optional();

const selection = (description: string) =>
  z
    .strictObject({
      ids: listField(
        { description: 'By their ids.', allowed: 'a list of ids, such as [85975, 161748]' },
        (value): value is number => isWholeNumber(value) && value > 0,
      ).optional(),
      names: patterns('By their names; `*` stands for any text.'),
      tags: patterns('By their tags; `*` stands for any text. One tag that fits is enough.'),
    })
    .meta({ description });

export const filterSchema = z
  .strictObject({
    include: selection('Only these: one id, name or tag that fits is enough.').optional(),
    exclude: selection('Not these, even if they are included.').optional(),
  })
  .meta({
    description:
      'Which checks and transactions are watched. The others cost no request and have no series; counters of those left out later are dropped.',
  });
