/** Bytes of JSON that this file looks for: all of them are ASCII, which no other character of UTF-8 contains. */
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [zero, nine, openBrace, closeBrace] = [0x30, 0x39, 0x7b, 0x7d];

/** No number of the service has more digits, and so many are always exact. */
const mostDigits = 15;

/** A place in the text of a list. */
export interface TextRange {
  readonly text: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/**
 * Where the object ends that begins here; -1 where none does. It counts braces alone: whether what stands between
 * them is JSON, only parsing it can tell.
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

/** A name as it stands before its value. */
export function nameText(name: string): Uint8Array {
  return Buffer.from(`"${name}":`);
}

/**
 * Where an object ends that begins at `start` and is written like a former one but for whole numbers behind some names;
 * -1 where none does. The numbers that differ are put into `numbers`, by the place of their names; the others are NaN.
 */
export function endOfAlike(
  former: TextRange,
  { text, start }: Omit<TextRange, 'end'>,
  names: readonly Uint8Array[],
  numbers: Float64Array,
): number {
  numbers.fill(Number.NaN);
  const before = former.text;
  let [old, place] = [former.start, start];
  while (old < former.end) {
    if (before[old] === text[place]) {
      old++;
      place++;
      continue;
    }
    while (isDigit(before[old - 1])) {
      old--;
      place--;
    }
    const name = names.findIndex((bytes) => endsWith(before, old, bytes));
    const [oldEnd, end] = [endOfNumber(before, old), endOfNumber(text, place)];
    // Behind the same number another byte is no other number, and to look at it again would never end.
    if (name < 0 || oldEnd < 0 || end < 0 || before[oldEnd] !== text[end]) return -1;
    numbers[name] = numberIn(text, place, end);
    old = oldEnd;
    place = end;
  }
  return place;
}

/** Of a whole number that is a value of an object; -1 where there is none. */
function endOfNumber(text: Uint8Array, start: number): number {
  let end = start;
  while (isDigit(text[end])) end++;
  const digits = end - start;
  const isWhole = digits > 0 && digits <= mostDigits && (digits === 1 || text[start] !== zero);
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
