import { z } from 'zod';
import { cutToBytes, maxLabelBytes } from '../../lib/cut-text.ts';
import { isVisible } from '../../lib/is-visible.ts';

/**
 * Converters for loosely typed fields. The service may write a number as a string of digits, a
 * boolean as 0/1, YES/NO or true/false, and may omit any attribute or send null (API 3.1, section
 * 2). A value that cannot be decoded counts as absent, so that one malformed attribute does not
 * reject the whole entry.
 *
 * The `read…` functions check the form of a value; the functions below them convert it. A check
 * list can have 25,000 entries, so it is decoded with these functions directly. Other responses are
 * decoded with schemas built from them.
 */

const digitsPattern = /^\d{1,15}$/;
const numberPattern = /^\d{1,15}(\.\d{1,9})?$/;

/** An id, which must be a positive integer. Undefined for any other value. */
export function readIdentifier(value: unknown): number | undefined {
  const id = typeof value === 'string' && digitsPattern.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : undefined;
}

export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && numberPattern.test(value) ? Number(value) : undefined;
}

const flagValues: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [0, false],
  [1, true],
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
]);

export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return flagValues.get(typeof value === 'string' ? value.toLowerCase() : value);
}

export function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export const identifier = z.unknown().transform((value, context) => {
  const id = readIdentifier(value);
  if (id !== undefined) return id;
  context.addIssue('expected a positive integer');
  return z.NEVER;
});
export const number = z.unknown().transform(readNumber).optional();
export const flag = z.unknown().transform(readFlag).optional();
export const text = z.unknown().transform(readText).optional();

/** The end of the year 2099 in UNIX seconds. A later time is a mistake of the service. */
const latestSeconds = 4_102_444_799;
const maxMinutes = 31 * 24 * 60;

type Loose<T> = T | null | undefined;

/** Which no query can read, and marks that reverse the direction of the following text. */
const unshowable = /[\0\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text of bounded length as it is stored, shown and exposed: lone surrogates (invalid in UTF-8) and
 * what cannot be shown become U+FFFD. Text without a visible character is absent.
 */
export function visibleText(value: Loose<string>): string | undefined {
  if (!value || !isVisible(value)) return undefined;
  return cutToBytes(value.toWellFormed().replace(unshowable, '\ufffd'), maxLabelBytes);
}

export function booleanOf(value: Loose<boolean | 0 | 1>): boolean | undefined {
  return value === undefined || value === null ? undefined : Boolean(value);
}

export function integer(value: Loose<number>): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** UNIX seconds. Zero means that the event never happened. An impossible time is absent. */
export function timestamp(value: Loose<number>): number | undefined {
  const seconds = integer(value);
  return seconds !== undefined && seconds > 0 && seconds <= latestSeconds ? seconds : undefined;
}

/**
 * Seconds from milliseconds, which are rounded. The service writes zero for a time that was not
 * measured.
 */
export function milliseconds(value: Loose<number>): number | undefined {
  const isMeasured = typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER;
  return isMeasured ? Math.max(1, Math.round(value)) / 1000 : undefined;
}

/** Seconds from whole minutes. Only one minute to 31 days are valid. */
export function minutes(value: Loose<number>): number | undefined {
  const whole = integer(value);
  return whole !== undefined && whole > 0 && whole <= maxMinutes ? whole * 60 : undefined;
}

/** UNIX seconds of an event, for a field that is required. */
export const instant = identifier.pipe(z.int().max(latestSeconds));

/** The range of `instant`, for a value that is already a number. */
const plausibleTime = z.int().positive().max(latestSeconds);

/** The valid ids of a list; undefined when the value is not a list. */
export function identifiers(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((entry) => identifier.safeParse(entry).data ?? []);
}

/** Whole seconds of a duration; 0 is valid. */
export function seconds(value: Loose<number>): number | undefined {
  const whole = integer(value);
  return whole !== undefined && whole >= 0 ? whole : undefined;
}

/** Seconds from a mean in smaller units. The service may write zero for no measurements. */
export function mean(value: Loose<number>, unitsPerSecond: number): number | undefined {
  return typeof value === 'number' && value > 0 ? value / unitsPerSecond : undefined;
}

/** The listed word that matches in any case, or `unknown`. */
export function enumValueOf<W extends string>(words: readonly W[], value: unknown): W | 'unknown' {
  const lower = typeof value === 'string' ? value.toLowerCase() : undefined;
  return words.find((word) => word === lower) ?? 'unknown';
}

/**
 * UNIX seconds of an RFC 3339 date-time with `Z` or an offset. Fractions are cut off at both ends
 * of a span, so adjacent spans stay adjacent (API 3.1, section 2.11).
 */
export const dateTime = z
  .string()
  .toUpperCase()
  .pipe(z.iso.datetime({ offset: true }))
  .transform((text) => Math.floor(Date.parse(text) / 1000))
  .pipe(plausibleTime);
