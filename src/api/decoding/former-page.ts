/** An entry that has been decoded. */
export class DecodedEntry<T> {
  readonly key: number;
  readonly item: T;
  /** The position of each of its readings in the text is unambiguous. */
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
  readonly #text: ListText | undefined;
  #place = 0;
  /** Made when entries have come or gone. */
  #placeOfKey: ReadonlyMap<number, number> | undefined;

  constructor(page: ReadPage | undefined) {
    this.#page = page;
    this.#text = page && listText(page.body);
  }

  /** The entry that is likely to come next. */
  get entry(): DecodedEntry<T> | undefined {
    const entry = this.#page?.entries[this.#place];
    return entry instanceof DecodedEntry ? entry : undefined;
  }

  /** Where the entry ends in a text in which it begins at `start` and is written as before; -1 if it is not. */
  sameEnd({ bytes }: ListText, start: number): number {
    const former = this.#range();
    if (former === undefined) return -1;
    const end = start + former.end - former.start;
    if (end > bytes.length) return -1;
    const before = former.text.bytes;
    return bytes.compare(before, former.start, former.end, start, end) === 0 ? end : -1;
  }

  /** The same where its readings may differ, which are put into `numbers` by the places of their names; others are NaN. */
  alikeEnd(
    text: ListText,
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

  /** Takes the entry with this key; the next one is expected after it. Without one, the expected entry stays. */
  take(key: number): DecodedEntry<T> | undefined {
    const place = this.entry?.key === key ? this.#place : this.#places().get(key);
    if (place === undefined) return undefined;
    this.#place = place;
    const { entry } = this;
    this.#place++;
    return entry;
  }

  #range(): TextRange | undefined {
    const [page, text] = [this.#page, this.#text];
    const end = page?.ends[this.#place];
    if (page === undefined || text === undefined || end === undefined) return undefined;
    const before = page.ends[this.#place - 1];
    return { text, start: before === undefined ? page.start : before + 1, end };
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

/** Bytes of JSON that this file looks for: all of them are ASCII, which no other character of UTF-8 contains. */
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [zero, nine, openBrace, closeBrace] = [0x30, 0x39, 0x7b, 0x7d];

/** The service's numbers have no more digits, and this many are always exact. */
const maxDigits = 15;

/** The text of a list, with a view to compare several bytes at once. */
export interface ListText {
  readonly bytes: Buffer;
  readonly view: DataView;
}

export function listText(bytes: Buffer): ListText {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/** A place in the text of a list. */
interface TextRange {
  readonly text: ListText;
  readonly start: number;
  readonly end: number;
}

/**
 * Where the object ends that begins here; -1 where none does. It only counts braces; whether the text between
 * them is JSON is for the parser to say.
 */
export function endOfObject(text: Uint8Array, start: number): number {
  if (text[start] !== openBrace) return -1;
  let depth = 0;
  for (let place = start; place < text.length; place++) {
    const byte = text[place];
    if (byte === openBrace) depth++;
    else if (byte === closeBrace && --depth === 0) return place + 1;
    else if (byte === quote) {
      for (place++; place < text.length && text[place] !== quote; place++) {
        if (text[place] === backslash) place++;
      }
    }
  }
  return -1;
}

/** A name as written before its value. */
export function nameText(name: string): Uint8Array {
  return Buffer.from(`"${name}":`);
}

/**
 * Where an object ends that begins at `start` and is written like a former one but for whole numbers behind some names;
 * -1 where none does. The numbers that differ are put into `numbers`, by the place of their names; the others are NaN.
 */
function endOfAlike(
  former: TextRange,
  { text, start }: Omit<TextRange, 'end'>,
  names: readonly Uint8Array[],
  numbers: Float64Array,
): number {
  numbers.fill(Number.NaN);
  const { bytes: before } = former.text;
  const { bytes } = text;
  let [old, place] = [former.start, start];
  for (;;) {
    const same = sameBytes(former.text.view, old, former.end, text.view, place);
    old += same;
    place += same;
    if (old === former.end) return place;
    while (isDigit(before[old - 1])) {
      old--;
      place--;
    }
    const name = names.findIndex((bytes) => endsWith(before, old, bytes));
    const [oldEnd, end] = [endOfNumber(before, old), endOfNumber(bytes, place)];
    // Behind the same number another byte is no other number, and to look at it again would never end.
    if (name < 0 || oldEnd < 0 || end < 0 || before[oldEnd] !== bytes[end]) return -1;
    numbers[name] = numberIn(bytes, place, end);
    old = oldEnd;
    place = end;
  }
}

/** How many bytes are the same from `start`, up to `end`, and from `place` on. */
function sameBytes(
  before: DataView,
  start: number,
  end: number,
  view: DataView,
  place: number,
): number {
  const most = Math.min(end - start, view.byteLength - place);
  let same = 0;
  while (same + 4 <= most && before.getInt32(start + same) === view.getInt32(place + same)) {
    same += 4;
  }
  while (same < most && before.getInt8(start + same) === view.getInt8(place + same)) same++;
  return same;
}

/** Of a whole number that is a value of an object; -1 where there is none. */
function endOfNumber(text: Uint8Array, start: number): number {
  let end = start;
  while (isDigit(text[end])) end++;
  const digits = end - start;
  const isWhole = digits > 0 && digits <= maxDigits && (digits === 1 || text[start] !== zero);
  return isWhole && (text[end] === comma || text[end] === closeBrace) ? end : -1;
}

function numberIn(text: Uint8Array, start: number, end: number): number {
  let number = 0;
  for (let place = start; place < end; place++) number = 10 * number + (text[place] ?? 0) - zero;
  return number;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}

function endsWith(text: Uint8Array, end: number, bytes: Uint8Array): boolean {
  if (text[end - 1] !== colon) return false;
  const start = end - bytes.length;
  for (let place = bytes.length - 2; place >= 0; place--) {
    if (text[start + place] !== bytes[place]) return false;
  }
  return true;
}
