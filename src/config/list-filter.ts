import type { Listed, ListFilter } from '../api/filtered-service.ts';
import { fits } from './pattern.ts';

export interface Selection {
  readonly ids?: readonly number[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface FilterChoice {
  readonly include?: Selection | undefined;
  readonly exclude?: Selection | undefined;
}

/** Keeps what `include` selects, or all without it, and of that what `exclude` does not select. */
export function listFilter({ include, exclude }: FilterChoice): ListFilter {
  return (listed) =>
    (include === undefined || selects(include, listed)) &&
    (exclude === undefined || !selects(exclude, listed));
}

/** One of the ids, names or tags is enough. */
function selects({ ids = [], names = [], tags = [] }: Selection, listed: Listed): boolean {
  return (
    ids.includes(listed.id) ||
    names.some((pattern) => fits(pattern, listed.name)) ||
    tags.some((pattern) => listed.tags.some(({ name }) => fits(pattern, name)))
  );
}
