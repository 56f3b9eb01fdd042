import { CorruptRecordError } from './record.ts';

const leastBytes = 256;
/** Most items have empty lists. One shared array saves work for the garbage collector. */
const none: readonly never[] = Object.freeze([]);
const noAmounts: Readonly<Record<string, number>> = Object.freeze({});
/** Larger whole numbers, and numbers that are not whole, are written as floats of eight bytes. */
const largestShort = 2 ** 50;
const text = { encoder: new TextEncoder(), decoder: new TextDecoder('utf-8', { fatal: true }) };

/** A buffer that grows as it is written. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  /** `bytes`: the initial capacity. */
  constructor(bytes: number = leastBytes) {
    this.#bytes = new Uint8Array(bytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#length;
  }

  /** Appends this many zero bytes. Returns the offset of the first one. */
  skip(bytes: number): number {
    const at = this.#length;
    this.#reserve(bytes);
    this.#bytes.fill(0, at, at + bytes);
    this.#length += bytes;
    return at;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  uint32At(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** Unsigned LEB128: seven bits per byte, the lowest first. */
  varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  text(value: string): void {
    const encoded = text.encoder.encode(value);
    this.varint(encoded.length);
    this.bytes(encoded);
  }

  /** The bytes from an offset on, without a copy; valid until the next write. */
  since(at: number): Uint8Array {
    return this.#bytes.subarray(at, this.#length);
  }

  /** A copy that owns its buffer. */
  copy(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/**
 * Lists that are often equal within a record: a list that equals the previous one becomes the same
 * object.
 */
export class RepeatedNumbers {
  #former: readonly number[] = none;

  of(numbers: readonly number[]): readonly number[] {
    const former = this.#former;
    const areSame =
      former.length === numbers.length && former.every((number, at) => number === numbers[at]);
    if (!areSame) this.#former = numbers;
    return this.#former;
  }
}

/** Reads the output of a `ByteWriter`. Throws a `CorruptRecordError` if the bytes end too early. */
export class ByteReader {
  /** Shared by all readers of a record. */
  readonly repeated: RepeatedNumbers;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array, repeated = new RepeatedNumbers()) {
    this.repeated = repeated;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    return this.#bytes[this.#take(1)] ?? 0;
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  float64(): number {
    return compact(this.#view.getFloat64(this.#take(8), true));
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.byte();
      value += (byte % 0x80) * scale;
      if (byte < 0x80) break;
      if (value > Number.MAX_SAFE_INTEGER) throw new CorruptRecordError('a number is too large');
    }
    return value;
  }

  bytes(length: number): Uint8Array {
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }

  text(): string {
    const bytes = this.bytes(this.varint());
    try {
      return text.decoder.decode(bytes);
    } catch (error) {
      throw new CorruptRecordError('a text is not UTF-8', { cause: error });
    }
  }

  end(): void {
    if (this.left > 0) throw new CorruptRecordError(`${this.left} bytes are left over`);
  }

  #take(bytes: number): number {
    const at = this.#at;
    if (bytes > this.left) throw new CorruptRecordError('it ends too early');
    this.#at += bytes;
    return at;
  }
}

/**
 * Writes and reads values of one type. Both methods throw a `CorruptRecordError` for a value that
 * is not of the type.
 */
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

export const string: Codec<string> = {
  write: (to, value) => to.text(value),
  read: (from) => from.text(),
};

/**
 * A member of a list, stored as its index: never change the order, and add new members at the end.
 */
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

/**
 * Rejects values that break a rule, when writing and when reading. `wrong` returns the error, or
 * undefined for an allowed value.
 */
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

/**
 * Returns the same number in a form that needs less memory. V8 stores a number that was read as a
 * float in a separate object, also in every field that once had such a number. Whole numbers of 32
 * bits need no object.
 */
export function compact(value: number): number {
  const whole = value | 0;
  return whole === value ? whole : value;
}
