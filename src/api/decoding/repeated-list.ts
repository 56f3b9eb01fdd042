import { isUtf8 } from 'node:buffer';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { BodyReader, Redact } from '../reader.ts';
import { isObject } from './envelope.ts';
import {
  DecodedEntry,
  endOfObject,
  FormerPage,
  listText,
  nameText,
  type ReadPage,
} from './former-page.ts';

interface RepeatedListOptions<T extends object> {
  /** Name of the array in a reply. */
  readonly field: string;
  /** Returns undefined for an entry that lacks a required field. */
  readonly decode: (entry: unknown) => T | undefined;
  readonly keyOf: (item: T) => number;
  /** Returns the item with unchanged parts replaced by those of the former one. */
  readonly sharing: (item: T, former: T) => T;
  /** Whole numbers of an entry that change all the time: each puts itself into an item; false when that takes the whole entry. */
  readonly readings: { readonly [name: string]: (item: T, value: number) => boolean };
}

/** The item of a key; undefined where none is known. */
type Known<T> = (key: number) => T | undefined;

interface ReadContext<T> {
  readonly redact: Redact;
  readonly former: FormerPage<T>;
  readonly known: Known<T>;
}

/** Reading this many takes a few milliseconds. */
const entriesPerSlice = 1000;
/** The text before and after the entries is a few words. */
const maxFrameBytes = 1000;
const leastRoomBytes = 1_000_000;
const [comma, openBracket, closeBracket] = [0x2c, 0x5b, 0x5d];
/** A name can be written with its letters escaped. */
const escapedLetter = /\\u00[4-7]/i;

/**
 * A list that is read repeatedly and changes little. As objects, 25,000 entries at once are the largest
 * garbage there is: so each is cut out of the text and parsed alone, and one that is written as before, its readings
 * aside, is not parsed at all, and its item stays.
 *
 * What comes out is what `JSON.parse` of the body gives, with decoded entries in place of those that can be decoded.
 */
export class RepeatedList<T extends object> {
  readonly #options: RepeatedListOptions<T>;
  readonly #quotedNames: readonly (readonly [name: string, quoted: string])[];
  readonly #names: readonly Uint8Array[];
  readonly #readings: readonly ((item: T, value: number) => boolean)[];
  readonly #numbers: Float64Array;
  /** By the offset in the list at which they begin. */
  #pages = new Map<number, ReadPage>();
  /** Of the last list but one, for the body of the next one: as garbage, it would bring on a collection of the whole heap. */
  #room: Buffer | undefined;

  constructor(options: RepeatedListOptions<T>) {
    this.#options = options;
    const names = Object.keys(options.readings);
    this.#quotedNames = names.map((name) => [name, `"${name}"`]);
    this.#names = names.map(nameText);
    this.#readings = Object.values(options.readings);
    this.#numbers = new Float64Array(names.length);
  }

  /**
   * Begins to read the list; answers how the page at an offset is to be read. A body that is not written as expected,
   * or is no JSON, is left to the reader. `known` has the items that were read before this list was, such as stored ones.
   */
  begin(known: Known<T> = () => undefined): (offset: number) => BodyReader {
    const former = this.#pages;
    const pages = new Map<number, ReadPage>();
    this.#pages = pages;
    const read = async (offset: number, body: Buffer, redact: Redact) => {
      const before = former.get(offset);
      former.delete(offset);
      const page = await this.#read(body, { redact, former: new FormerPage<T>(before), known });
      const frame = page && this.#frameOf(page, redact);
      if (page === undefined || frame === undefined) return undefined;
      pages.set(offset, page);
      if (before !== undefined) this.#keepRoom(before);
      return { ...frame, [this.#options.field]: page.entries };
    };
    return (offset) => ({
      room: () => this.#takeRoom(),
      read: (body, redact) => read(offset, body, redact),
    });
  }

  /** For one body: what writes into it may go on doing so after it has failed. */
  #takeRoom(): Buffer | undefined {
    const room = this.#room;
    this.#room = undefined;
    return room;
  }

  /** A page that no list will be compared with. A small body may share its memory with others. */
  #keepRoom({ body }: ReadPage): void {
    if (body.length >= leastRoomBytes) this.#room = Buffer.from(body.buffer);
  }

  /** The item of an entry that was read so, or of the value of one that was not. */
  readonly decode = (entry: unknown): T | undefined =>
    entry instanceof DecodedEntry ? entry.item : this.#options.decode(entry);

  async #read(body: Buffer, context: ReadContext<T>): Promise<ReadPage | undefined> {
    const { redact, former } = context;
    const text = listText(body);
    const start = body.indexOf(openBracket) + 1;
    if (start === 0 || start > maxFrameBytes || !isUtf8(body)) return undefined;
    const entries: unknown[] = [];
    const ends: number[] = [];
    for (let from = start; ; ) {
      const { entry: before } = former;
      let end = former.sameEnd(text, from);
      let entry: unknown = end < 0 ? undefined : before;
      if (end < 0 && before !== undefined) {
        end = former.alikeEnd(text, from, this.#names, this.#numbers);
        entry = end < 0 ? undefined : this.#withNumbers(before);
      }
      if (entry !== undefined) former.next();
      else {
        end = endOfObject(body, from);
        const json = body.toString('utf8', from, end);
        const value = end < 0 ? undefined : parse(json);
        if (value === undefined) return undefined;
        entry = this.#decoded(json, redact(body.subarray(from, end), value), context);
      }
      entries.push(entry);
      ends.push(end);
      if (body[end] === closeBracket) return { body, start, entries, ends };
      if (body[end] !== comma) return undefined;
      from = end + 1;
      if (entries.length % entriesPerSlice === 0) await yieldToEventLoop();
    }
  }

  #withNumbers({ key, item }: DecodedEntry<T>): DecodedEntry<T> | undefined {
    const next = { ...item };
    for (let place = 0; place < this.#numbers.length; place++) {
      const number = this.#numbers[place] ?? Number.NaN;
      if (!Number.isNaN(number) && this.#readings[place]?.(next, number) !== true) return undefined;
    }
    return new DecodedEntry(key, next, true);
  }

  /** An entry, or its value when that cannot be decoded. */
  #decoded(text: string, value: unknown, { former, known }: ReadContext<T>): unknown {
    const { decode, keyOf, sharing } = this.#options;
    const item = decode(value);
    if (item === undefined) {
      if (former.entry === undefined) former.next();
      return value;
    }
    const key = keyOf(item);
    const before = former.take(key)?.item ?? known(key);
    const shared = before === undefined ? item : sharing(item, before);
    return new DecodedEntry(key, shared, this.#hasPlainReadings(text, value));
  }

  /** Whether each reading of the value occurs exactly once in its text, under its own name. */
  #hasPlainReadings(text: string, value: unknown): boolean {
    if (!isObject(value) || escapedLetter.test(text)) return false;
    return this.#quotedNames.every(([name, quoted]) => {
      const place = text.indexOf(quoted);
      const isOnce = place >= 0 && text.indexOf(quoted, place + 1) < 0;
      return isOnce ? Object.hasOwn(value, name) : place < 0;
    });
  }

  /** The reply without its entries; undefined when it is not what was expected. */
  #frameOf({ body, start, ends }: ReadPage, redact: Redact): object | undefined {
    const { field } = this.#options;
    const end = ends.at(-1) ?? start;
    const rest = body.toString('utf8', end);
    // Of two arrays under one name the last counts.
    if (rest.length > maxFrameBytes || rest.includes(field) || rest.includes('\\'))
      return undefined;
    const text = `${body.toString('utf8', 0, start)}0${rest}`;
    const frame = redact(Buffer.from(text), parse(text));
    if (!isObject(frame)) return undefined;
    const entries = frame[field];
    return Array.isArray(entries) && entries.length === 1 && entries[0] === 0 ? frame : undefined;
  }
}

/** Undefined for what is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
