import { crc32 } from 'node:zlib';
import type { StoredItem } from '../store.ts';
import { ByteReader, ByteWriter, compact, type RepeatedNumbers } from './bytes.ts';
import type { Codec } from './codec.ts';
import type { ItemColumns, Section } from './items.ts';
import { CorruptRecordError, sealBytes } from './record.ts';

/*
 * The payload of one section of a chunk:
 *
 *   u32 number of items, f64 id of each, varint number of columns, then for each column
 *     text name, byte type, then for numbers: an f64 for each item, NaN if absent;
 *     for values: u32 end of each item's bytes within the column, then the bytes of the column
 *     (an absent value has none)
 *   u32 checksum of each item over its id and all its columns
 *
 * Because each item has a checksum, damage inside a chunk loses only the items that it affects.
 */
const columnTypes = { numbers: 0, values: 1 };

/** The columns of an item, or the reason why neither they nor its id can be trusted. */
type ReadItem = { readonly columns: ItemColumns } | { readonly reason: string };

/** Encodes items without a seal. Throws a `CorruptRecordError` if a codec rejects a value. */
export function writeChunk(
  section: Section,
  items: readonly (readonly [id: number, item: StoredItem])[],
): Uint8Array<ArrayBuffer> {
  const columns = Object.keys(section.numbers).length + Object.keys(section.values).length * 16;
  const to = new ByteWriter((items.length + 4) * (columns + 2) * 8);
  const sums = new Sums(items.map(([id]) => id));
  to.skip(sealBytes);
  to.uint32At(to.skip(4), items.length);
  for (const [id] of items) to.float64(id);
  const [numbers, values] = [Object.entries(section.numbers), Object.entries(section.values)];
  to.varint(numbers.length + values.length);
  for (const [name, numberOf] of numbers) {
    beginColumn(to, name, columnTypes.numbers, sums);
    for (let place = 0; place < items.length; place++) {
      const item = items[place];
      const value = (item && numberOf(item[1])) ?? Number.NaN;
      to.float64(value);
      sums.number(place, value);
    }
  }
  for (const [name, { of, codec }] of values) {
    beginColumn(to, name, columnTypes.values, sums);
    const ends = to.skip(items.length * 4);
    const start = to.length;
    for (const [place, [, item]] of items.entries()) {
      const from = to.length;
      const value = of(item);
      if (value !== undefined) codec.write(to, value);
      to.uint32At(ends + place * 4, to.length - start);
      sums.bytes(place, to.since(from));
    }
  }
  for (const sum of sums.all) to.uint32At(to.skip(4), sum);
  return to.copy();
}

function beginColumn(to: ByteWriter, name: string, type: number, sums: Sums): void {
  to.text(name);
  to.byte(type);
  sums.column(name);
}

/**
 * Decodes the items of a payload. `intact`: the checksum of the record matched, so those of the
 * items are not verified. Columns that the section does not know are skipped. Throws a
 * `CorruptRecordError` if nothing can be read.
 */
export function readChunk(
  section: Section,
  payload: Uint8Array,
  intact: boolean,
): (readonly [id: number, item: ReadItem])[] {
  const from = new ByteReader(payload);
  const count = from.uint32();
  if (count * 8 > from.left) throw new CorruptRecordError('it ends too early');
  const ids = Array.from({ length: count }, () => from.float64());
  const sums = intact ? undefined : new Sums(ids);
  const numbers: [name: string, column: Float64Array][] = [];
  const values: [name: string, codec: Codec<unknown>, column: Uint8Array[]][] = [];
  for (let left = from.varint(); left > 0; left--) {
    const name = from.text();
    const type = from.byte();
    sums?.column(name);
    if (type === columnTypes.numbers) {
      const column = Float64Array.from({ length: count }, () => from.float64());
      for (let place = 0; place < count; place++) sums?.number(place, column[place] ?? 0);
      if (section.numbers[name] !== undefined) numbers.push([name, column]);
    } else if (type === columnTypes.values) {
      const column = readBytes(from, count);
      for (const [place, bytes] of column.entries()) sums?.bytes(place, bytes);
      const codec = section.values[name]?.codec;
      if (codec !== undefined) values.push([name, codec, column]);
    } else {
      throw new CorruptRecordError(`a column is of type ${type}`);
    }
  }
  const items = ids.map((id, place) => {
    const isBad = from.uint32() !== sums?.all[place] && sums !== undefined;
    const item = isBad
      ? { reason: 'its checksum does not match' }
      : readItem(place, numbers, values, from.repeated);
    return [id, item] as const;
  });
  from.end();
  return items;
}

function readBytes(from: ByteReader, count: number): Uint8Array[] {
  if (count * 4 > from.left) throw new CorruptRecordError('it ends too early');
  const ends = Array.from({ length: count }, () => from.uint32());
  const bytes = from.bytes(ends.at(-1) ?? 0);
  return ends.map((end, place) => bytes.subarray(ends[place - 1] ?? 0, end));
}

function readItem(
  place: number,
  numbers: readonly (readonly [string, Float64Array])[],
  values: readonly (readonly [string, Codec<unknown>, readonly Uint8Array[]])[],
  repeated: RepeatedNumbers,
): ReadItem {
  const columns: { numbers: Record<string, number>; values: Record<string, unknown> } = {
    numbers: {},
    values: {},
  };
  for (const [name, column] of numbers) {
    const value = column[place];
    if (value !== undefined && !Number.isNaN(value)) columns.numbers[name] = compact(value);
  }
  for (const [name, codec, column] of values) {
    const bytes = column[place];
    if (bytes === undefined || bytes.length === 0) continue;
    try {
      const from = new ByteReader(bytes, repeated);
      columns.values[name] = codec.read(from);
      from.end();
    } catch (error) {
      if (!(error instanceof CorruptRecordError)) throw error;
      return { reason: `its ${name} cannot be read: ${error.message}` };
    }
  }
  return { columns };
}

/** Checksums of items. Steps are bijections of 32 bits, so one changed word changes the sum. */
class Sums {
  readonly all: Uint32Array;
  readonly #float = new Float64Array(1);
  readonly #words = new Uint32Array(this.#float.buffer);

  constructor(ids: readonly number[]) {
    this.all = new Uint32Array(ids.length);
    for (const [place, id] of ids.entries()) this.number(place, id);
  }

  column(name: string): void {
    const sum = crc32(name);
    for (let place = 0; place < this.all.length; place++) this.#mix(place, sum);
  }

  number(place: number, value: number): void {
    this.#float[0] = value;
    this.#mix(place, this.#words[0] ?? 0);
    this.#mix(place, this.#words[1] ?? 0);
  }

  bytes(place: number, value: Uint8Array): void {
    this.#mix(place, value.length);
    if (value.length > 0) this.#mix(place, crc32(value));
  }

  #mix(place: number, word: number): void {
    const mixed = Math.imul((this.all[place] ?? 0) ^ word, 0x9e3779b1);
    this.all[place] = mixed ^ (mixed >>> 15);
  }
}
