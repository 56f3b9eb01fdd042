import { ApiError } from './errors.ts';
import type { KeyedList } from './wire/keyed-list.ts';

/** One page of a list, its entries still as they came. */
export interface Page {
  readonly entries: readonly unknown[];
  /** Size of the whole list, if the service says so. */
  readonly total?: number;
}

export interface PagesOptions<T> {
  readonly operation: string;
  readonly list: KeyedList<T>;
  /** As many entries as are asked for at once. */
  readonly limit: number;
  readonly read: (offset: number) => Promise<Page>;
  /** The largest offset the service accepts. */
  readonly maxOffset?: number;
}

/** The sizes to which the service cuts pages are multiples of this (API 3.1, sections 4 and 8). */
const roundSize = 100;

/**
 * Reads a list page by page into `list`: whole, or up to the largest offset, or not at all. Pages
 * overlap by one entry, which shows a list that changes in between. Answers whether it was read whole.
 *
 * Rejects with an `ApiError`; reason `inconsistent` when the list changed.
 */
export async function readPages<T>(options: PagesOptions<T>): Promise<boolean> {
  const { operation, list, limit, read, maxOffset = Number.POSITIVE_INFINITY } = options;
  let first: Page | undefined;
  for (;;) {
    const offset = Math.max(0, list.entries - 1);
    if (offset > maxOffset) return false;
    const page = await read(offset);
    first ??= page;
    if (page.total !== first.total) {
      const message = 'the total changed while the list was read';
      throw new ApiError({ reason: 'inconsistent', operation, message });
    }
    const added = await list.addLargePage(page.entries);
    if (page.total === undefined ? isLast(page, added, limit) : list.entries >= page.total) {
      return true;
    }
    if (added === 0) {
      const reason = page === first ? 'shape' : 'inconsistent';
      const message = `the list ends before its total of ${page.total}`;
      throw new ApiError({ reason, operation, message });
    }
  }
}

/**
 * Without a total, a page shorter than asked for is the last one, unless the service has cut it to a
 * size of its own. A page longer than asked for is the whole list of a service that does not page.
 */
function isLast({ entries }: Page, added: number, limit: number): boolean {
  if (added === 0 || entries.length > limit) return true;
  return entries.length < limit && entries.length % roundSize !== 0;
}
