import { type Whole, whole } from '../../lib/whole.ts';
import { CorruptRowError } from './row.ts';

/*
 * Readers of parsed JSON. There are tens of thousands of items, and a general schema would take
 * several times as long for each.
 */

/** Returns the value if it has the type. Throws a `CorruptRowError` otherwise. */
export type Reader<T> = (value: unknown) => T;

/** Most items have empty lists. One shared array saves work for the garbage collector. */
const none: readonly never[] = Object.freeze([]);

/** Finite and not negative: a count, seconds, a time. */
export const amount: Reader<number> = (value) => {
  if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new CorruptRowError(`${JSON.stringify(value)} is not a number of 0 or more`);
};

/** An amount whose fraction, if it has one, is removed. */
export const wholeAmount: Reader<Whole> = (value) => whole(amount(value));

export const text: Reader<string> = (value) => {
  if (typeof value === 'string') return value;
  throw new CorruptRowError(`${JSON.stringify(value)} is not a text`);
};

export const yes: Reader<true> = (value) => {
  if (value === true) return true;
  throw new CorruptRowError(`${JSON.stringify(value)} is not true`);
};

export const flag: Reader<boolean> = (value) => {
  if (typeof value === 'boolean') return value;
  throw new CorruptRowError(`${JSON.stringify(value)} is neither true nor false`);
};

export function oneOf<T extends string>(members: readonly T[]): Reader<T> {
  const known = new Map<unknown, T>(members.map((member) => [member, member]));
  return (value) => {
    const member = known.get(value);
    if (member !== undefined) return member;
    throw new CorruptRowError(`${JSON.stringify(value)} is not one of ${members.join()}`);
  };
}

export const list: Reader<readonly unknown[]> = (value) => {
  if (Array.isArray(value)) return value;
  throw new CorruptRowError(`${JSON.stringify(value)} is not a list`);
};

export function listOf<T>(of: Reader<T>): Reader<readonly T[]> {
  return (value) => {
    const values = list(value);
    return values.length === 0 ? none : values.map((element) => of(element));
  };
}

/** A list that is equal in most items. If it equals the one read before, it is the same object. */
export function repeatedListOf(of: Reader<number>): Reader<readonly number[]> {
  const all = listOf(of);
  let former: readonly number[] = none;
  return (value) => {
    const read = all(value);
    const isSame = read.length === former.length && read.every((n, at) => n === former[at]);
    if (!isSame) former = read;
    return former;
  };
}

/** Values by label. */
export function recordOf<T>(of: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (value) => {
    const entries = Object.entries(fields(value));
    return Object.fromEntries(entries.map(([label, field]) => [label, of(field)]));
  };
}

export function optional<T>(of: Reader<T>): Reader<T | undefined> {
  return (value) => (value === undefined ? undefined : of(value));
}

/** A field that is left out if it has this value. */
export function orElse<T>(of: Reader<T>, absent: T): Reader<T> {
  return (value) => (value === undefined ? absent : of(value));
}

export type FieldReaders<T> = { readonly [K in keyof T]-?: Reader<T[K]> };

/** The fields with these names. Others are ignored. A field that is undefined is left out. */
export function struct<T extends object>(readers: FieldReaders<T>): Reader<T> {
  const names = Object.keys(readers) as (keyof T & string)[];
  return (value) => {
    const from = fields(value);
    const read: Partial<T> = {};
    for (const name of names) {
      const field = readers[name](from[name]);
      if (field !== undefined) read[name] = field;
    }
    return read as T;
  };
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new CorruptRowError(`${JSON.stringify(value)} is not an object`);
}
