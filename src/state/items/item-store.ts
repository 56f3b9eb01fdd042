import type { DatasetName } from '../../domain/dataset.ts';
import {
  type Details,
  type ItemRecord,
  ItemRows,
  type RowContext,
  type RowSettings,
} from './item-rows.ts';
import { type ItemData, KeptItem, type NamedEntry, type Stored } from './kept-item.ts';
import { mergeEntry } from './merge-entry.ts';
import { isOfRemoved, type Leaving, type LeftItem, RemovedItems } from './removed-items.ts';
import { type Slot, Slots } from './slots.ts';

/** Most items have no details. They share this object, which saves memory and collections. */
const noDetails = Object.freeze({});
/**
 * An item is removed when complete lists lack it for this long: the service may omit an item from
 * a list, and include it in the next one.
 */
export const missingSeconds = 45;

/** How far a list shows which items exist. */
export interface ListKind {
  /** False if an entry could not be decoded: it may be any item that seems to be missing. */
  readonly isComplete: boolean;
  /** Items that the service lists, but the configuration excludes. */
  readonly excluded?: ReadonlySet<number>;
}

interface ListedEntries<E> extends ListKind {
  readonly entries: readonly E[];
  /** UNIX seconds of the service. */
  readonly nowSeconds: number;
}

/** The stored data of the items. */
interface RestoredItems<E extends NamedEntry, T, F> {
  /** Absent when there is no list. */
  readonly entries: readonly E[] | undefined;
  readonly totals: ReadonlyMap<number, T>;
  readonly details: ReadonlyMap<number, Details<F>>;
}

/** The changes of a list. Items that it no longer has stay until `leave`. */
interface ListChanges<E> {
  readonly added: readonly number[];
  /** The previous entries of items whose name or tags have changed. */
  readonly relabelled: readonly E[];
  /** Items that complete lists lack. */
  readonly gone: readonly number[];
  /** Items that the configuration excludes. */
  readonly excluded: readonly number[];
}

/**
 * The checks or the transactions of an account. Entries and details change when they arrive, totals
 * only after the caller has made them durable. Unchanged data keep their objects.
 */
export class ItemStore<E extends NamedEntry, T extends object, F extends object, R extends object> {
  readonly #records = new Map<number, KeptItem<E, T, F, R>>();
  /** In the order of the last list, which rarely changes, so items are found by position. */
  #listed: readonly KeptItem<E, T, F, R>[] = [];
  readonly #rows: ItemRows<E, T, F, R>;
  readonly #detailOf: ReadonlyMap<DatasetName, keyof F>;
  readonly #unlisted = new RemovedItems<T>();
  readonly #slots = new Slots();
  #membershipVersion = 0;
  #labelsVersion = 0;
  #entriesVersion = 0;

  constructor(settings: RowSettings<E, T, F, R>) {
    const { detailDatasets } = settings;
    this.#rows = new ItemRows(settings);
    const names = Object.keys(detailDatasets) as (keyof F)[];
    this.#detailOf = new Map(
      names.toReversed().map((name) => [detailDatasets[name], name] as const),
    );
  }

  get size(): number {
    return this.#records.size;
  }

  /** Changes when items were added or removed. */
  get membershipVersion(): number {
    return this.#membershipVersion;
  }

  /** Changes when items were added or removed, or a name or tags have changed. */
  get labelsVersion(): number {
    return this.#labelsVersion;
  }

  /** Changes when items were added or removed, or an entry has changed. */
  get entriesVersion(): number {
    return this.#entriesVersion;
  }

  ids(): Iterable<number> {
    return this.#records.keys();
  }

  has(id: number): boolean {
    return this.#records.has(id);
  }

  /** `place` is where the item probably was in the last list, which finds it sooner. */
  get(id: number, place = -1): ItemRecord<E, T, F> | undefined {
    return this.#find(id, place);
  }

  slotOf(id: number): Slot | undefined {
    return this.#records.get(id);
  }

  records(): Iterable<ItemRecord<E, T, F>> {
    return this.#records.values();
  }

  /** Items whose totals are not stored yet, although no refresh has changed them. */
  *unstored(): Iterable<ItemRecord<E, T, F>> {
    for (const item of this.#records.values()) if (item.stored !== 'as it is') yield item;
  }

  /** Returns whether an item is listed, or removed so recently that its totals are still kept. */
  isKept(id: number): boolean {
    return this.#records.has(id) || this.#unlisted.has(id);
  }

  /** The last list lacked the item, so its entry is older. It is not removed yet. */
  isMissing(id: number): boolean {
    return this.#records.get(id)?.missingSince !== undefined;
  }

  /** A complete list lacked an item, which the next one may remove. */
  get isRemovalPending(): boolean {
    for (const { missingSince = Number.POSITIVE_INFINITY } of this.#records.values()) {
      if (Number.isFinite(missingSince)) return true;
    }
    return false;
  }

  /** Totals of removed items, or null for totals to delete, until they are committed. */
  get removed(): ReadonlyMap<number, T | null> {
    return this.#unlisted.removed;
  }

  /**
   * Continues from stored data. Totals without an entry wait for the next list. An item whose totals
   * alone were stored when it left is listed, and `unstored`: it must leave again.
   */
  restore({ entries = [], totals, details }: RestoredItems<E, T, F>): void {
    for (const [id, stored] of totals) this.#unlisted.add(id, stored);
    for (const entry of entries) {
      const kept = this.#unlisted.takeReturned(entry.id);
      if (kept === undefined) continue;
      const item = { entry, totals: kept.totals, details: details.get(entry.id) ?? noDetails };
      this.#add(item, kept.isStored ? 'as it is' : 'otherwise');
    }
  }

  /**
   * Takes over a list. A new item starts with `totalsOf`, and an item that returns continues with
   * its last totals; the caller must commit both. An item must leave when the configuration excludes
   * it, or when complete lists lack it for `missingSeconds`.
   */
  list(
    { entries, isComplete, excluded, nowSeconds }: ListedEntries<E>,
    totalsOf: (entry: E) => T,
  ): ListChanges<E> {
    const sizeBefore = this.#records.size;
    const listed = this.#listed;
    const added: number[] = [];
    const relabelled: E[] = [];
    this.#listed = entries.map((entry, place) => {
      const record = this.#find(entry.id, place);
      if (record !== undefined) return this.#update(record, entry, relabelled);
      added.push(entry.id);
      return this.#arrive(entry, totalsOf);
    });
    const isAsBefore = sizeBefore === listed.length && sameElements(this.#listed, listed);
    const absent = isAsBefore ? [] : this.#absentFrom(entries);
    const [gone, filtered]: [number[], number[]] = [[], []];
    for (const item of absent) {
      const before = item.missingSince ?? Number.POSITIVE_INFINITY;
      const since = isComplete ? Math.min(before, nowSeconds) : before;
      item.missingSince = since;
      const { id } = item.entry;
      if (excluded?.has(id)) filtered.push(id);
      else if (isComplete && nowSeconds - since >= missingSeconds) gone.push(id);
    }
    if (isComplete) this.markRemoved(nowSeconds);
    return { added, relabelled, gone, excluded: filtered };
  }

  /**
   * Removes items, and returns their records. The caller must commit the totals that `removed` has
   * of them.
   */
  leave(ids: Iterable<number>, leaving: Leaving): readonly ItemRecord<E, T, F>[] {
    const left: ItemRecord<E, T, F>[] = [];
    for (const id of ids) {
      const record = this.#records.get(id);
      if (record === undefined) continue;
      left.push(record);
      if (record.stored !== 'never') {
        this.#unlisted.remove(id, record.totals, record.entry, leaving);
      }
      this.#records.delete(id);
      this.#slots.free(record);
      this.#rows.remove(record.row);
    }
    if (left.length === 0) return left;
    this.#listed = this.#listed.filter((record) => this.#records.get(record.entry.id) === record);
    this.#memberChanged();
    return left;
  }

  /** Undefined for an item that has not left within the last day. */
  left(id: number): LeftItem | undefined {
    return this.#unlisted.left(id);
  }

  /** Totals that were restored without an entry are those of items that have left. */
  markRemoved(nowSeconds: number): void {
    this.#unlisted.markRemoved(nowSeconds);
  }

  /** Deletes the totals of items that left too long ago. Returns their ids. */
  expire(nowSeconds: number): readonly number[] {
    return this.#unlisted.expire(nowSeconds);
  }

  /** The totals of all items, also of those that are not listed. */
  totals(): ReadonlyMap<number, T> {
    const listed = [...this.#records].map(([id, { totals }]) => [id, totals] as const);
    return new Map([...this.#unlisted.totals(), ...listed]);
  }

  /** Replaces the totals of all items. The caller must commit them. */
  replaceTotals(replacement: (totals: T) => T): void {
    for (const record of this.#records.values()) record.totals = replacement(record.totals);
    this.#unlisted.replaceAll(replacement);
    this.#rows.invalidateAll();
  }

  /** Applies durable totals; null if the totals of a removed item were deleted. */
  apply(id: number, totals: T | null): void {
    this.#unlisted.committed(id, totals);
    const record = this.#records.get(id);
    // Totals of a removed item were stored while it came back: those of its return follow.
    if (record === undefined || totals === null || isOfRemoved(totals)) return;
    record.stored = 'as it is';
    if (record.totals === totals) return;
    record.totals = totals;
    this.#rows.invalidate(record.row);
  }

  setDetail<K extends keyof F>(id: number, name: K, value: F[K], at: number): void {
    const record = this.#records.get(id);
    if (record === undefined) return;
    record.details = { ...record.details, [name]: { value, at } };
    this.#rows.invalidate(record.row);
  }

  /** Monotonic milliseconds at which the detail of a dataset was fetched. */
  fetchedAt(id: number, dataset: DatasetName): number | undefined {
    const name = this.#detailOf.get(dataset);
    return name === undefined ? undefined : this.#records.get(id)?.details[name]?.at;
  }

  /** Data of an item's row that are not in its record have changed. */
  invalidate(id: number): void {
    const record = this.#records.get(id);
    if (record !== undefined) this.#rows.invalidate(record.row);
  }

  invalidateAll(): void {
    this.#rows.invalidateAll();
  }

  /** A row for each item, in the order of the ids. An unchanged row is the same object. */
  rows(context: RowContext<E, T, F>): readonly R[] {
    return this.#rows.rows(context);
  }

  /** The number of rows that `rows` would build. */
  get rowsToBuild(): number {
    return this.#rows.toBuild;
  }

  /** Builds up to `most` rows ahead of `rows`. Returns whether more are left. */
  prepareRows(context: RowContext<E, T, F>, most: number): boolean {
    return this.#rows.prepare(context, most);
  }

  #find(id: number, place: number): KeptItem<E, T, F, R> | undefined {
    const listed = this.#listed[place];
    return listed?.entry.id === id ? listed : this.#records.get(id);
  }

  #add(data: ItemData<E, T, F>, stored: Stored): KeptItem<E, T, F, R> {
    const item = new KeptItem<E, T, F, R>(data, stored, this.#slots.take(), this.#rows);
    this.#records.set(data.entry.id, item);
    this.#memberChanged();
    return item;
  }

  #update(record: KeptItem<E, T, F, R>, entry: E, relabelled: E[]): KeptItem<E, T, F, R> {
    const { entry: previous } = record;
    record.missingSince = undefined;
    const merged = mergeEntry(previous, entry);
    if (merged === previous) return record;
    record.entry = merged;
    this.#entriesVersion += 1;
    this.#rows.invalidate(record.row);
    if (merged.name === previous.name && merged.tags === previous.tags) return record;
    this.#labelsVersion += 1;
    record.relabelled();
    relabelled.push(previous);
    return record;
  }

  #memberChanged(): void {
    this.#membershipVersion += 1;
    this.#labelsVersion += 1;
    this.#entriesVersion += 1;
  }

  /** An item that returns continues with its last totals. */
  #arrive(entry: E, totalsOf: (entry: E) => T): KeptItem<E, T, F, R> {
    const returned = this.#unlisted.takeReturned(entry.id);
    const totals = returned?.totals ?? totalsOf(entry);
    const stored = returned === undefined ? 'never' : returned.isStored ? 'as it is' : 'otherwise';
    return this.#add({ entry, totals, details: noDetails }, stored);
  }

  /** The items that the list lacks. Every entry must already have its item. */
  #absentFrom(entries: readonly E[]): readonly KeptItem<E, T, F, R>[] {
    const listed = new Set<number>();
    for (const { id } of entries) listed.add(id);
    if (listed.size === this.#records.size) return [];
    return [...this.#records.values()].filter(({ entry }) => !listed.has(entry.id));
  }
}

function sameElements<T>(some: readonly T[], others: readonly T[]): boolean {
  return some.length === others.length && some.every((element, place) => element === others[place]);
}
