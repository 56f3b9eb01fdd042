import type { z } from 'zod';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { plainEqual } from '../lib/plain-equal.ts';
import { type Present, present } from '../lib/present.ts';
import { whole } from '../lib/whole.ts';
import { arrayIn, isObject, kindOf } from './decoding/envelope.ts';
import { ApiError, type ApiErrorReason } from './errors.ts';
import type { Reader, ReadRequest } from './reader.ts';
import type { Listing, RejectedEntry } from './service.ts';

/** Entries that are decoded without yielding to the event loop; this takes a few milliseconds. */
const entriesPerSlice = 1000;

export interface KeyedListOptions<T> {
  readonly operation: string;
  /** Name of the array in the response, for messages. */
  readonly field: string;
  /** Returns undefined for an entry that lacks a required field. */
  readonly decode: (entry: unknown) => T | undefined;
  /** The required fields and what each must be, for messages. */
  readonly requiredFields: Readonly<Record<string, string>>;
  /** Describes a word of the service that was read as `unknown`, if there is one. */
  readonly unknownWord?: (item: T, entry: unknown) => string | undefined;
  /** Identifies an item. */
  readonly keyOf: (item: T) => number | string;
  /** True if entries have no identity, so that equal entries are not duplicates. */
  readonly allowDuplicates?: boolean;
  /** True for the parts of one item, which are not missed as items are: all may be malformed. */
  readonly areParts?: boolean;
}

export const positiveInteger = 'a positive integer';

/** Decodes entries that fit a schema; undefined fields of an item become absent. */
export function decodedBy<W, T extends object>(
  schema: z.ZodType<W>,
  itemOf: (wire: W) => T | undefined,
): (entry: unknown) => Present<T> | undefined {
  return (entry) => {
    const wire = schema.safeParse(entry).data;
    const item = wire === undefined ? undefined : itemOf(wire);
    return item === undefined ? undefined : present(item);
  };
}

/** A word of the service that is harmless in a log. */
export const plainWord = /^[\w -]{1,40}$/;

/** A status that a later version of the service may have. The item then has the status `unknown`. */
export function unknownStatus(
  { id, status }: { readonly id: number; readonly status: string },
  entry: unknown,
): string | undefined {
  if (status !== 'unknown' || !isObject(entry) || typeof entry.status !== 'string')
    return undefined;
  if (entry.status.toLowerCase() === 'unknown') return undefined;
  const word = plainWord.test(entry.status) ? `status ${entry.status}` : 'a status';
  return `${word} of ${id} is not known`;
}

/** For entries that have ids. */
export const byId = {
  requiredFields: { id: positiveInteger },
  keyOf: ({ id }: { readonly id: number }) => id,
} as const;

/**
 * Collects a list result page by result page. A bad entry is rejected and reported. A result page
 * with only bad entries fails, because it would look as if everything had been deleted; those of one
 * item's report are left to the caller.
 *
 * Each further result page begins with the last entry of the previous one. If it begins with a
 * different entry, an item was added or removed meanwhile, and the result pages do not make a
 * consistent list.
 */
export class KeyedList<T> implements Listing<T> {
  readonly items: T[] = [];
  readonly rejected: RejectedEntry[] = [];
  readonly #options: KeyedListOptions<T>;
  readonly #pageOfKey = new Map<number | string, number>();
  /** The key of the last entry of the previous result page, with which this one begins. */
  #overlap: number | string | undefined;
  #lastEntry: { readonly entry: unknown; readonly key: number | string | undefined } | undefined;
  #pages = 0;
  #entries = 0;

  constructor(options: KeyedListOptions<T>) {
    this.#options = options;
  }

  /** Entries read so far, including rejected ones. */
  get entries(): number {
    return this.#entries;
  }

  /** Returns the number of new entries. Fails with reason `shape` or `inconsistent`. */
  addPage(page: readonly unknown[]): number {
    const fresh = this.#begin(page);
    this.#end(fresh, this.#addEntries(fresh));
    return fresh.length;
  }

  /** Like `addPage`, but yields to the event loop between slices of a large result page. */
  async addLargePage(page: readonly unknown[]): Promise<number> {
    const fresh = this.#begin(page);
    let decoded = 0;
    for (let from = 0; from < fresh.length; from += entriesPerSlice) {
      if (fresh.length > entriesPerSlice) await yieldToEventLoop();
      decoded += this.#addEntries(fresh.slice(from, from + entriesPerSlice));
    }
    this.#end(fresh, decoded);
    return fresh.length;
  }

  #begin(page: readonly unknown[]): readonly unknown[] {
    const fresh = this.#entries === 0 ? page : this.#afterOverlap(page);
    this.#overlap = this.#lastEntry?.key;
    this.#pages++;
    return fresh;
  }

  #addEntries(entries: readonly unknown[]): number {
    const { decode, requiredFields, unknownWord } = this.#options;
    let decoded = 0;
    for (const entry of entries) {
      const item = decode(entry);
      if (item === undefined) {
        this.#lastEntry = { entry, key: undefined };
        this.#reject('shape', defectOf(entry, requiredFields));
      } else {
        this.#lastEntry = { entry, key: this.#add(item) };
        decoded++;
        const word = unknownWord?.(item, entry);
        if (word !== undefined) this.#reject('unknown_word', word);
      }
      this.#entries++;
    }
    return decoded;
  }

  #end(fresh: readonly unknown[], decoded: number): void {
    const { field, requiredFields, areParts = false } = this.#options;
    if (fresh.length > 0 && decoded === 0 && !areParts) {
      const names = Object.keys(requiredFields).join(' and ');
      throw this.#fail(
        'shape',
        `none of the ${fresh.length} entries of ${field} has a valid ${names}`,
      );
    }
  }

  #afterOverlap(page: readonly unknown[]): readonly unknown[] {
    const { field } = this.#options;
    if (page.length === 0) throw this.#fail('inconsistent', `${field} ended before the overlap`);
    if (!this.#isLast(page[0])) {
      throw this.#fail('inconsistent', `${field} changed while it was read`);
    }
    return page.slice(1);
  }

  /**
   * Returns whether this is the last entry of the previous result page. Entries are compared by
   * key, because the item may have changed meanwhile; malformed entries are compared by value.
   */
  #isLast(entry: unknown): boolean {
    const { decode, keyOf } = this.#options;
    const item = decode(entry);
    const key = item === undefined ? undefined : keyOf(item);
    if (key !== this.#lastEntry?.key) return false;
    return key !== undefined || plainEqual(entry, this.#lastEntry?.entry);
  }

  /** Adds the item, unless it is a duplicate. Returns its key. */
  #add(item: T): number | string {
    const { keyOf, allowDuplicates = false } = this.#options;
    const key = keyOf(item);
    const page = allowDuplicates ? undefined : this.#pageOfKey.get(key);
    if (page === undefined) {
      this.#pageOfKey.set(key, this.#pages);
      this.items.push(item);
    } else if (page === this.#pages || key === this.#overlap) {
      this.#reject('duplicate', 'duplicate entry');
    } else {
      throw this.#fail('inconsistent', `${this.#position()} was on an earlier page already`);
    }
    return key;
  }

  #reject(reason: RejectedEntry['reason'], problem: string): void {
    this.rejected.push({ reason, detail: `${this.#position()}: ${problem}` });
  }

  #position(): string {
    return `${this.#options.field}[${this.#entries}]`;
  }

  #fail(reason: ApiErrorReason, message: string): ApiError {
    return new ApiError({ reason, operation: this.#options.operation, message });
  }
}

/** Decodes a list that arrives in a single response. Fails with reason `shape`. */
export function decodeList<T>(
  entries: readonly unknown[],
  options: KeyedListOptions<T>,
): Listing<T> {
  const list = new KeyedList(options);
  list.addPage(entries);
  return { items: list.items, rejected: list.rejected };
}

function defectOf(entry: unknown, requiredFields: Readonly<Record<string, string>>): string {
  if (!isObject(entry)) return `expected object, found ${kindOf(entry)}`;
  return Object.entries(requiredFields)
    .map(([name, expected]) => `${name}: expected ${expected}, found ${kindOf(entry[name])}`)
    .join('; ');
}

/** One result page of a list, with undecoded entries. */
export interface ResultPage {
  readonly entries: readonly unknown[];
  /** Size of the whole list, if the service reports it. */
  readonly total?: number;
}

interface ReadPagesOptions<T> {
  readonly operation: string;
  readonly list: KeyedList<T>;
  /** The number of entries to request at once. */
  readonly limit: number;
  readonly read: (offset: number) => Promise<ResultPage>;
  /** The largest offset the service accepts. */
  readonly maxOffset?: number;
}

/**
 * The service cuts result pages to multiples of this size: to 100 or more where that is documented
 * (API 3.1, sections 4 and 8), which it is not for maintenance windows.
 */
export const pageSizeMultiple = 50;

/**
 * Reads a list result page by result page into `list`. Result pages overlap by one entry, which
 * reveals a list that changes meanwhile. Resolves with true if the list was read to its end, and
 * with false if it ends beyond the largest offset.
 *
 * Rejects with an `ApiError`; reason `inconsistent` if the list changed.
 */
export async function readPages<T>(options: ReadPagesOptions<T>): Promise<boolean> {
  const { operation, list, limit, read, maxOffset = Number.POSITIVE_INFINITY } = options;
  let first: ResultPage | undefined;
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
 * Returns whether a result page of a list without a total is the last one. A result page shorter
 * than requested is the last one, unless its size is a multiple of 50, to which the service may
 * have cut it. A result page longer than requested is the whole list, from a service that ignores
 * the limit.
 */
function isLast({ entries }: ResultPage, added: number, limit: number): boolean {
  if (added === 0 || entries.length > limit) return true;
  return entries.length < limit && entries.length % pageSizeMultiple !== 0;
}

/** Reads a list that arrives in a single response; `within` is the key of the object around it. */
export async function readWhole<T>(
  reader: Reader,
  form: Omit<KeyedListOptions<T>, 'operation'>,
  request: ReadRequest,
  within?: string,
): Promise<Listing<T>> {
  const { operation } = request;
  const entries = arrayIn(await reader.get(request), form.field, operation, within);
  return decodeList(entries, { operation, ...form });
}

interface ReadListOptions<T> extends ReadRequest {
  readonly reader: Reader;
  readonly form: Omit<KeyedListOptions<T>, 'operation'>;
  /** The number of entries to request at once. */
  readonly limit: number;
  /** Finds the entries in a response; by default the array under the name in `form`. */
  readonly pageIn?: (response: unknown) => ResultPage;
}

/** Reads a complete list, result page by result page. Rejects with an `ApiError`. */
export async function readList<T>(options: ReadListOptions<T>): Promise<Listing<T>> {
  const { reader, form, limit, operation, path, signal } = options;
  const { pageIn = (response) => ({ entries: arrayIn(response, form.field, operation) }) } =
    options;
  const list = new KeyedList({ operation, ...form });
  const read = async (offset: number) => {
    const query = { ...options.query, limit: whole(limit), offset: whole(offset) };
    return pageIn(await reader.get({ operation, path, query, signal }));
  };
  await readPages({ operation, list, limit, read });
  return { items: list.items, rejected: list.rejected };
}
