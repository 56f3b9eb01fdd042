import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { plainEqual } from '../../lib/plain-equal.ts';
import { ApiError, type ApiErrorReason } from '../errors.ts';
import type { Listing, RejectedEntry } from '../service.ts';
import { isObject, kindOf } from './envelope.ts';

/** Decoding so many takes a few milliseconds. */
const entriesPerSlice = 1000;

export interface KeyedListOptions<T> {
  readonly operation: string;
  /** Name of the array in the reply, for messages. */
  readonly field: string;
  /** Undefined for an entry that lacks one of the attributes it cannot do without. */
  readonly decode: (entry: unknown) => T | undefined;
  /** The attributes that an entry cannot do without and what each must be, for messages. */
  readonly needs: Readonly<Record<string, string>>;
  /** What tells the items apart. */
  readonly keyOf: (item: T) => number | string;
  /** True where two items may be alike, as with things that have no identity. */
  readonly repeats?: boolean;
  /** True for a list within an entry, which can be illegible throughout in an otherwise good reply. */
  readonly nested?: boolean;
}

export const positiveInteger = 'a positive integer';

/** For entries that have ids. */
export const byId = {
  needs: { id: positiveInteger },
  keyOf: ({ id }: { readonly id: number }) => id,
} as const;

/**
 * Collects a list page by page. One bad entry is left out and told of; a page without a single good
 * one is no list, and would otherwise read as "everything was deleted".
 *
 * Each further page begins with the last entry of the one before: if it is another one, an item came
 * or went in between, and the pages do not make up a list.
 */
export class KeyedList<T> implements Listing<T> {
  readonly items: T[] = [];
  readonly rejected: RejectedEntry[] = [];
  readonly #options: KeyedListOptions<T>;
  readonly #pageOfKey = new Map<number | string, number>();
  #last: { readonly entry: unknown; readonly key: number | string | undefined } | undefined;
  #pages = 0;
  #entries = 0;

  constructor(options: KeyedListOptions<T>) {
    this.#options = options;
  }

  /** Entries read so far, good or not. */
  get entries(): number {
    return this.#entries;
  }

  /**
   * Returns how many of the entries are new. Fails with reason `shape`, or `inconsistent` when the
   * pages do not fit together.
   */
  addPage(page: readonly unknown[]): number {
    const fresh = this.#begin(page);
    this.#end(fresh, this.#addEntries(fresh));
    return fresh.length;
  }

  /** The same for a page of any size: the event loop has its turns meanwhile. */
  async addLargePage(page: readonly unknown[]): Promise<number> {
    const fresh = this.#begin(page);
    let legible = 0;
    for (let from = 0; from < fresh.length; from += entriesPerSlice) {
      if (fresh.length > entriesPerSlice) await yieldToEventLoop();
      legible += this.#addEntries(fresh.slice(from, from + entriesPerSlice));
    }
    this.#end(fresh, legible);
    return fresh.length;
  }

  #begin(page: readonly unknown[]): readonly unknown[] {
    const fresh = this.#entries === 0 ? page : this.#afterOverlap(page);
    this.#pages++;
    return fresh;
  }

  /** Answers how many are legible. */
  #addEntries(entries: readonly unknown[]): number {
    const { decode, needs } = this.#options;
    let legible = 0;
    for (const entry of entries) {
      const item = decode(entry);
      if (item === undefined) {
        this.#last = { entry, key: undefined };
        this.#reject('shape', defectOf(entry, needs));
      } else {
        this.#last = { entry, key: this.#place(item) };
        legible++;
      }
      this.#entries++;
    }
    return legible;
  }

  #end(fresh: readonly unknown[], legible: number): void {
    const { field, needs, nested = false } = this.#options;
    if (fresh.length > 0 && legible === 0 && !nested) {
      const names = Object.keys(needs).join(' and ');
      throw this.#fail(
        'shape',
        `none of the ${fresh.length} entries of ${field} has a valid ${names}`,
      );
    }
  }

  #afterOverlap(page: readonly unknown[]): readonly unknown[] {
    const { field } = this.#options;
    if (page.length === 0) throw this.#fail('inconsistent', `${field} ended too early`);
    if (!this.#isLast(page[0])) {
      throw this.#fail('inconsistent', `${field} changed while it was read`);
    }
    return page.slice(1);
  }

  /** An item may have changed since; an illegible entry has no other identity than what it says. */
  #isLast(entry: unknown): boolean {
    const { decode, keyOf } = this.#options;
    const item = decode(entry);
    const key = item === undefined ? undefined : keyOf(item);
    if (key !== this.#last?.key) return false;
    return key !== undefined || plainEqual(entry, this.#last?.entry);
  }

  /** Answers its key. */
  #place(item: T): number | string {
    const { keyOf, repeats = false } = this.#options;
    const key = keyOf(item);
    const page = repeats ? undefined : this.#pageOfKey.get(key);
    if (page === undefined) {
      this.#pageOfKey.set(key, this.#pages);
      this.items.push(item);
    } else if (page === this.#pages) {
      this.#reject('duplicate', 'it is there twice');
    } else {
      throw this.#fail('inconsistent', `${this.#here()} was on an earlier page already`);
    }
    return key;
  }

  #reject(reason: RejectedEntry['reason'], why: string): void {
    this.rejected.push({ reason, detail: `${this.#here()}: ${why}` });
  }

  #here(): string {
    return `${this.#options.field}[${this.#entries}]`;
  }

  #fail(reason: ApiErrorReason, message: string): ApiError {
    return new ApiError({ reason, operation: this.#options.operation, message });
  }
}

/** A list that comes in one piece. Fails with reason `shape`. */
export function decodeList<T>(
  entries: readonly unknown[],
  options: KeyedListOptions<T>,
): Listing<T> {
  const list = new KeyedList(options);
  list.addPage(entries);
  return { items: list.items, rejected: list.rejected };
}

function defectOf(entry: unknown, needs: Readonly<Record<string, string>>): string {
  if (!isObject(entry)) return `expected object, found ${kindOf(entry)}`;
  return Object.entries(needs)
    .map(([name, expected]) => `${name}: expected ${expected}, found ${kindOf(entry[name])}`)
    .join('; ');
}
