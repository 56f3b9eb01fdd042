import { type Page, readPages } from './read-pages.ts';
import type { Reader, ReadRequest } from './reader.ts';
import type { Listing } from './service.ts';
import { arrayIn } from './wire/envelope.ts';
import { KeyedList, type KeyedListOptions } from './wire/keyed-list.ts';

export interface PagedListOptions<T> extends ReadRequest {
  readonly reader: Reader;
  readonly form: Omit<KeyedListOptions<T>, 'operation'>;
  /** As many entries as are asked for at once. */
  readonly limit: number;
  /** Finds the entries in a reply; by default, they are the array that `form` names. */
  readonly pageIn?: (reply: unknown) => Page;
}

/** Reads a list page by page, complete or not at all. Rejects with an `ApiError`. */
export async function readList<T>(options: PagedListOptions<T>): Promise<Listing<T>> {
  const { reader, form, limit, operation, path, signal } = options;
  const { pageIn = (reply) => ({ entries: arrayIn(reply, form.field, operation) }) } = options;
  const list = new KeyedList({ operation, ...form });
  const read = async (offset: number) => {
    const query = { ...options.query, limit, offset };
    return pageIn(await reader.get({ operation, path, query, signal }));
  };
  await readPages({ operation, list, limit, read });
  return { items: list.items, rejected: list.rejected };
}
