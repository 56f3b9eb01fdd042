import { arrayIn } from './decoding/envelope.ts';
import { KeyedList, type KeyedListOptions } from './decoding/keyed-list.ts';
import { ApiError } from './errors.ts';
import type { ReadBody, Reader, ReadRequest } from './reader.ts';
import type { Listing } from './service.ts';

/** One page of a list, its entries still as they came. */
export interface ListPage {
  readonly entries: readonly unknown[];
  /** Size of the whole list, if the service says so. */
  readonly total?: number;
}

interface ReadPagesOptions<T> {
  readonly operation: string;
  readonly list: KeyedList<T>;
  /** As many entries as are asked for at once. */
  readonly limit: number;
  readonly read: (offset: number) => Promise<ListPage>;
  /** The largest offset the service accepts. */
  readonly maxOffset?: number;
}

/** The sizes to which the service cuts pages are multiples of this (API 3.1, sections 4 and 8). */
const pageSizeMultiple = 100;

/**
 * Reads a list page by page into `list`: whole, or up to the largest offset, or not at all. Pages
 * overlap by one entry, which shows a list that changes in between. Answers whether it was read whole.
 *
 * Rejects with an `ApiError`; reason `inconsistent` when the list changed.
 */
export async function readPages<T>(options: ReadPagesOptions<T>): Promise<boolean> {
  const { operation, list, limit, read, maxOffset = Number.POSITIVE_INFINITY } = options;
  let first: ListPage | undefined;
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
function isLast({ entries }: ListPage, added: number, limit: number): boolean {
  if (added === 0 || entries.length > limit) return true;
  return entries.length < limit && entries.length % pageSizeMultiple !== 0;
}

interface ReadListOptions<T> extends ReadRequest {
  readonly reader: Reader;
  readonly form: Omit<KeyedListOptions<T>, 'operation'>;
  /** As many entries as are asked for at once. */
  readonly limit: number;
  /** Finds the entries in a reply; by default, they are the array that `form` names. */
  readonly pageIn?: (reply: unknown) => ListPage;
  /** How the body of the page at an offset is to be read. */
  readonly readBodyAt?: (offset: number) => ReadBody;
}

/** Reads a list page by page, complete or not at all. Rejects with an `ApiError`. */
export async function readList<T>(options: ReadListOptions<T>): Promise<Listing<T>> {
  const { reader, form, limit, operation, path, signal } = options;
  const { pageIn = (reply) => ({ entries: arrayIn(reply, form.field, operation) }) } = options;
  const list = new KeyedList({ operation, ...form });
  const read = async (offset: number) => {
    const query = { ...options.query, limit, offset };
    const request = { operation, path, query, signal };
    return pageIn(await reader.get(request, options.readBodyAt?.(offset)));
  };
  await readPages({ operation, list, limit, read });
  return { items: list.items, rejected: list.rejected };
}
