import { CorruptRecordError } from './record.ts';

const leastBytes = 256;
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

/** Lists that often repeat within a record: an equal list becomes the same object. */
export class RepeatedNumbers {
  #former: readonly number[] = [];

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
 * Returns the same number in a form that needs less memory. V8 stores a number that was read as a
 * float in a separate object, also in every field that once had such a number. Whole numbers of 32
 * bits need no object.
 */
export function compact(value: number): number {
  const whole = value | 0;
  return whole === value ? whole : value;
}
