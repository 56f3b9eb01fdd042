import { z } from 'zod';
import {
  decodeExtras,
  decodeStates,
  encodeExtras,
  encodeStates,
  type ItemExtras,
} from './item-codec.ts';
import type { Json, StoredItem } from './store.ts';

/** The records of the states of a kind of items, and of what else is counted of each item. */
export interface ItemRecords {
  /** By chunk. */
  readonly states: Iterable<readonly [number, Json]>;
  /** By item. */
  readonly extras: Iterable<readonly [number, Json]>;
}

/** A record to write; `null` deletes it. */
export interface ItemWrite {
  readonly record: keyof ItemRecords;
  readonly key: number;
  readonly value: Json;
}

type ItemChanges = ReadonlyMap<number, StoredItem | null>;

const chunks = 128;
const chunk = z.array(z.tuple([z.number(), z.unknown()]));

/**
 * The items of one kind of one account as they are on the disk. States change with every reading of a
 * list, so those of many items share a record; the rest has a record for each item, written when it changes.
 */
export class KeptItems {
  readonly #chunks = Array.from({ length: chunks }, () => new Map<number, StoredItem>());

  /** Throws when a record is not what was written. */
  constructor({ states, extras }: ItemRecords) {
    const extrasOf = new Map<number, ItemExtras>();
    for (const [id, value] of extras) extrasOf.set(id, decodeExtras(value));
    for (const [key, value] of states) {
      for (const [id, row] of chunk.parse(value)) {
        this.#chunks[key]?.set(id, { states: decodeStates(row), ...extrasOf.get(id) });
      }
    }
  }

  all(): Map<number, StoredItem> {
    return new Map(this.#chunks.flatMap((items) => [...items]));
  }

  /** What it takes to keep the changes as well. */
  *writes(changes: ItemChanges): Generator<ItemWrite> {
    const touched = new Map<number, Map<number, StoredItem>>();
    for (const [id, item] of changes) {
      const key = id % chunks;
      const before = this.#chunks[key]?.get(id);
      const items = touched.get(key) ?? new Map(this.#chunks[key]);
      touched.set(key, items);
      if (item === null) items.delete(id);
      else items.set(id, item);
      if (!sameExtras(item, before)) {
        yield { record: 'extras', key: id, value: hasExtras(item) ? encodeExtras(item) : null };
      }
    }
    for (const [key, items] of touched) {
      const rows = [...items].map(([id, { states }]): Json => [id, encodeStates(states)]);
      yield { record: 'states', key, value: rows.length === 0 ? null : rows };
    }
  }

  /** The changes are on the disk. */
  keep(changes: ItemChanges): void {
    for (const [id, item] of changes) {
      const items = this.#chunks[id % chunks];
      if (item === null) items?.delete(id);
      else items?.set(id, item);
    }
  }
}

const extraNames = ['maintenance', 'results', 'analyses', 'alerts', 'recent', 'history'] as const;

function hasExtras(item: StoredItem | null): item is StoredItem {
  return item !== null && extraNames.some((name) => item[name] !== undefined);
}

function sameExtras(item: StoredItem | null, before: StoredItem | undefined): boolean {
  return extraNames.every((name) => item?.[name] === before?.[name]);
}
