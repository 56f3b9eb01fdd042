import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ItemWrite, KeptItems } from '../../src/store/kept-items.ts';
import type { Json, StoredItem } from '../../src/store/store.ts';
import { fullItem, plainItem } from './support/stored-items.ts';

/** A disk that holds the records of one kind of items. */
class Disk {
  readonly #records = { states: new Map<number, Json>(), extras: new Map<number, Json>() };

  write(writes: Iterable<ItemWrite>): ItemWrite[] {
    const written = [...writes];
    for (const { record, key, value } of written) {
      if (value === null) this.#records[record].delete(key);
      else this.#records[record].set(key, JSON.parse(JSON.stringify(value)) as Json);
    }
    return written;
  }

  read(): KeptItems {
    return new KeptItems(this.#records);
  }
}

const item = fc.oneof(
  fc.constant(null),
  fc.nat(1000).map(plainItem),
  fc.nat(1000).map((n): StoredItem => ({ ...fullItem, states: plainItem(n).states })),
  fc.nat(1000).map((n): StoredItem => ({ ...fullItem, recent: [{ state: 'up', fromSeconds: n }] })),
);
/** Some of them share a record. */
const id = fc.constantFrom(1, 2, 129, 257, 5_000_000, 5_000_064);
const changes = fc.uniqueArray(fc.tuple(id, item), { selector: ([key]) => key });

test('after any changes the disk holds what they amount to', () => {
  fc.assert(
    fc.property(fc.array(changes), (rounds) => {
      const disk = new Disk();
      const kept = disk.read();
      const wanted = new Map<number, StoredItem>();
      for (const round of rounds) {
        const changed = new Map(round);
        disk.write(kept.writes(changed));
        kept.keep(changed);
        for (const [key, value] of changed) {
          if (value === null) wanted.delete(key);
          else wanted.set(key, value);
        }
      }

      expect(disk.read().all()).toEqual(wanted);
      expect(kept.all()).toEqual(wanted);
    }),
  );
});

test('changes that did not reach the disk are written with the next ones', () => {
  const disk = new Disk();
  const kept = disk.read();
  expect([...kept.writes(new Map([[1, fullItem]]))]).not.toEqual([]);

  disk.write(kept.writes(new Map([[1, fullItem]])));

  expect(disk.read().all()).toEqual(new Map([[1, fullItem]]));
});

test('only the states are written while nothing else changes', () => {
  const disk = new Disk();
  const kept = disk.read();
  const first = new Map([[1, fullItem]]);
  disk.write(kept.writes(first));
  kept.keep(first);

  const written = disk.write(
    kept.writes(new Map([[1, { ...fullItem, states: plainItem(9).states }]])),
  );

  expect(written.map(({ record }) => record)).toEqual(['states']);
});

test('a record of something else is refused', () => {
  expect(() => new KeptItems({ states: [[0, [[1, 'nonsense']]]], extras: [] })).toThrow();
  expect(() => new KeptItems({ states: [], extras: [[1, { nonsense: true }]] })).toThrow();
});
