import { ApiError, type ApiErrorReason } from '../errors.ts';
import type { Listing, RejectedEntry } from '../service.ts';
import { isObject } from './envelope.ts';
import { kindOf } from './kind-of.ts';

export interface IdentifiedListOptions<T> {
  readonly operation: string;
  /** Name of the array in the reply, for messages. */
  readonly field: string;
  /** Undefined for an entry that cannot be read for want of a valid id. */
  readonly decode: (entry: unknown) => T | undefined;
}

/**
 * Collects a list whose entries have ids, page by page. One bad entry is left out and told of; a page
 * without a single good one is no list, and would otherwise read as "everything was deleted".
 */
export class IdentifiedList<T extends { readonly id: number }> implements Listing<T> {
  readonly items: T[] = [];
  readonly rejected: RejectedEntry[] = [];
  readonly #options: IdentifiedListOptions<T>;
  readonly #pageOfId = new Map<number, number>();
  #pages = 0;
  #entries = 0;

  constructor(options: IdentifiedListOptions<T>) {
    this.#options = options;
  }

  /** Entries read so far, good or not. */
  get entries(): number {
    return this.#entries;
  }

  /** Fails with reason `shape`, or `inconsistent` when an item stood on an earlier page already. */
  addPage(page: readonly unknown[]): void {
    const { field, decode } = this.#options;
    this.#pages++;
    let legible = 0;
    for (const entry of page) {
      const item = decode(entry);
      if (item === undefined) {
        this.rejected.push({ reason: 'shape', detail: `${this.#here()}: ${defectOf(entry)}` });
      } else {
        this.#place(item);
        legible++;
      }
      this.#entries++;
    }
    if (page.length > 0 && legible === 0) {
      throw this.#fail('shape', `none of the ${page.length} entries of ${field} has a valid id`);
    }
  }

  #place(item: T): void {
    const page = this.#pageOfId.get(item.id);
    if (page === undefined) {
      this.#pageOfId.set(item.id, this.#pages);
      this.items.push(item);
    } else if (page === this.#pages) {
      this.rejected.push({ reason: 'duplicate', detail: `${this.#here()}: its id is there twice` });
    } else {
      throw this.#fail('inconsistent', `${this.#here()} was on an earlier page already`);
    }
  }

  #here(): string {
    return `${this.#options.field}[${this.#entries}]`;
  }

  #fail(reason: ApiErrorReason, message: string): ApiError {
    return new ApiError({ reason, operation: this.#options.operation, message });
  }
}

function defectOf(entry: unknown): string {
  if (!isObject(entry)) return `expected object, found ${kindOf(entry)}`;
  return `id: expected a positive integer, found ${kindOf(entry.id)}`;
}
