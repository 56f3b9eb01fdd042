import { type Whole, whole } from '../../lib/whole.ts';
import { type ByteReader, type ByteWriter, compact } from './bytes.ts';
import { CorruptRecordError } from './record.ts';

/** Most items have empty lists. One shared array saves work for the garbage collector. */
const none: readonly never[] = Object.freeze([]);
const noAmounts: Readonly<Record<string, number>> = Object.freeze({});
/** Larger whole numbers, and numbers that are not whole, are written as floats of eight bytes. */
const largestShort = 2 ** 50;

/** Writes and reads values of a type. Throws a `CorruptRecordError` for any other value. */
export interface Codec<T> {
  write(to: ByteWriter, value: T): void;
  read(from: ByteReader): T;
}

/** Finite and not negative: a count, seconds, a time. */
export const amount: Codec<number> = {
  write(to, value) {
    requireAmount(value);
    if (Number.isInteger(value) && value < largestShort) {
      to.varint(value * 2);
      return;
    }
    to.varint(1);
    to.float64(value);
  },
  read(from) {
    const short = from.varint();
    const value = short % 2 === 0 ? compact(short / 2) : from.float64();
    requireAmount(value);
    return value;
  },
};

/** An amount whose fraction, if it has one, is removed when it is read. */
export const wholeAmount: Codec<Whole> = {
  write: (to, value) => amount.write(to, value),
  read: (from) => whole(amount.read(from)),
};

export const string: Codec<string> = {
  write: (to, value) => to.text(value),
  read: (from) => from.text(),
};

/** A member of a list, stored as its index: never reorder, and add at the end. */
export function oneOf<T extends string>(members: readonly T[]): Codec<T> {
  return {
    write(to, value) {
      const place = members.indexOf(value);
      if (place < 0) throw new CorruptRecordError(`${value} is not one of ${members.join()}`);
      to.byte(place);
    },
    read(from) {
      const member = members[from.byte()];
      if (member === undefined) throw new CorruptRecordError(`not one of ${members.join()}`);
      return member;
    },
  };
}

export function list<T>(of: Codec<T>): Codec<readonly T[]> {
  return {
    write(to, values) {
      to.varint(values.length);
      for (const value of values) of.write(to, value);
    },
    read(from) {
      const count = from.varint();
      if (count === 0) return none;
      // Each value takes at least one byte. `Array.from` allocates the exact length; an array that
      // grows while it is filled would reserve half as much again.
      if (count > from.left) throw new CorruptRecordError('it ends too early');
      return Array.from({ length: count }, () => of.read(from));
    },
  };
}

/** A list that is equal in most items of a record. Equal neighbours become one object. */
export const repeatedAmounts: Codec<readonly number[]> = {
  write: (to, values) => list(amount).write(to, values),
  read: (from) => from.repeated.of(list(amount).read(from)),
};

/** Numbers by label. */
export const amounts: Codec<Readonly<Record<string, number>>> = {
  write(to, value) {
    const entries = Object.entries(value);
    to.varint(entries.length);
    for (const [label, number] of entries) {
      to.text(label);
      amount.write(to, number);
    }
  },
  read(from) {
    let left = from.varint();
    if (left === 0) return noAmounts;
    const entries: [string, number][] = [];
    for (; left > 0; left--) entries.push([from.text(), amount.read(from)]);
    return Object.fromEntries(entries);
  },
};

/** A value that may be undefined, after a byte that is 1 if it is present. */
export function optional<T>(of: Codec<T>): Codec<T | undefined> {
  return {
    write(to, value) {
      to.byte(value === undefined ? 0 : 1);
      if (value !== undefined) of.write(to, value);
    },
    read: (from) => (from.byte() === 0 ? undefined : of.read(from)),
  };
}

/** The fields in this order. A field that is read as undefined is left out. */
export function struct<T extends object>(
  fields: {
    readonly [K in keyof T]-?: Codec<T[K]>;
  },
): Codec<T> {
  const names = Object.keys(fields) as (keyof T)[];
  return {
    write(to, value) {
      for (const name of names) fields[name].write(to, value[name]);
    },
    read(from) {
      const value: Partial<T> = {};
      for (const name of names) {
        const field = fields[name].read(from);
        if (field !== undefined) value[name] = field;
      }
      return value as T;
    },
  };
}

/** Checks a rule when writing and reading; `wrong` returns the error or undefined. */
export function checked<T>(of: Codec<T>, wrong: (value: T) => string | undefined): Codec<T> {
  const require = (value: T) => {
    const why = wrong(value);
    if (why !== undefined) throw new CorruptRecordError(why);
    return value;
  };
  return {
    write: (to, value) => of.write(to, require(value)),
    read: (from) => require(of.read(from)),
  };
}

function requireAmount(value: number): void {
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
    throw new CorruptRecordError(`${value} is not a number of 0 or more`);
  }
}
