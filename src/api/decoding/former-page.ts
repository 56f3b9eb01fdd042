import { endOfAlike, type TextRange } from './entry-text.ts';

/** An entry that has been decoded. */
export class DecodedEntry<T> {
  readonly key: number;
  readonly item: T;
  /** Where each of its readings stands in the text is beyond doubt. */
  readonly hasPlainReadings: boolean;

  constructor(key: number, item: T, hasPlainReadings: boolean) {
    this.key = key;
    this.item = item;
    this.hasPlainReadings = hasPlainReadings;
  }
}

/** A page of a list as it came, and what was decoded from it. */
export interface ReadPage {
  readonly body: Buffer;
  /** Where the first entry begins. */
  readonly start: number;
  /** Decoded entries, and the values of those that could not be decoded. */
  readonly entries: readonly unknown[];
  /** Where each of them ends in the text; the next one begins behind a comma. */
  readonly ends: readonly number[];
}

/** The entries of a former page, in the order in which those of a new one are likely to come. */
export class FormerPage<T> {
  readonly #page: ReadPage | undefined;
  #place = 0;
  /** Made when entries have come or gone. */
  #placeOfKey: ReadonlyMap<number, number> | undefined;

  constructor(page: ReadPage | undefined) {
    this.#page = page;
  }

  /** The entry that is likely to come next. */
  get entry(): DecodedEntry<T> | undefined {
    const entry = this.#page?.entries[this.#place];
    return entry instanceof DecodedEntry ? entry : undefined;
  }

  /** Where the entry ends in a text in which it begins at `start` and is written as before; -1 if it is not. */
  sameEnd(text: Buffer, start: number): number {
    const former = this.#range();
    if (former === undefined) return -1;
    const end = start + former.end - former.start;
    if (end > text.length) return -1;
    return text.compare(former.text, former.start, former.end, start, end) === 0 ? end : -1;
  }

  /** The same where its readings may differ, which are put into `numbers` by the places of their names; others are NaN. */
  alikeEnd(
    text: Buffer,
    start: number,
    names: readonly Uint8Array[],
    numbers: Float64Array,
  ): number {
    const former = this.entry?.hasPlainReadings === true ? this.#range() : undefined;
    return former === undefined ? -1 : endOfAlike(former, { text, start }, names, numbers);
  }

  /** Passes over the entry. */
  next(): void {
    this.#place++;
  }

  /** The entry that has this key; what comes next stands behind it. Without one, the next is still to come. */
  take(key: number): DecodedEntry<T> | undefined {
    const place = this.entry?.key === key ? this.#place : this.#places().get(key);
    if (place === undefined) return undefined;
    this.#place = place;
    const { entry } = this;
    this.#place++;
    return entry;
  }

  #range(): TextRange | undefined {
    const page = this.#page;
    const end = page?.ends[this.#place];
    if (page === undefined || end === undefined) return undefined;
    const before = page.ends[this.#place - 1];
    return { text: page.body, start: before === undefined ? page.start : before + 1, end };
  }

  #places(): ReadonlyMap<number, number> {
    if (this.#placeOfKey !== undefined) return this.#placeOfKey;
    const places = new Map<number, number>();
    for (const [place, entry] of this.#page?.entries.entries() ?? []) {
      if (entry instanceof DecodedEntry) places.set(entry.key, place);
    }
    this.#placeOfKey = places;
    return places;
  }
}
