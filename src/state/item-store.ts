import type { DatasetName } from '../domain/dataset.ts';
import { plainEqual } from '../lib/plain-equal.ts';
import type { ErrorBudget } from '../windows/error-budget.ts';
import type { MaintenanceState, ShownOutage } from './snapshot.ts';

/** A value and the monotonic milliseconds at which it was fetched. */
interface Dated<T> {
  readonly value: T;
  readonly at: number;
}

/** Tells whether data of a dataset that were fetched at `at` may still be shown. */
type Freshness = (dataset: DatasetName, at: number) => boolean;

/** Values of one item that are fetched one by one, each by the name under which a row shows it. */
export type Details<T> = { readonly [K in keyof T]?: Dated<T[K]> };

/** Those of the findings that are fresh. */
function freshDetails<T extends object>(
  findings: Details<T>,
  datasets: { readonly [K in keyof T]-?: DatasetName },
  isFresh: Freshness,
): Partial<T> {
  const fresh: Partial<T> = {};
  for (const name of Object.keys(findings) as (keyof T)[]) {
    const finding = findings[name];
    if (finding !== undefined && isFresh(datasets[name], finding.at)) fresh[name] = finding.value;
  }
  return fresh;
}

interface ListEntry {
  readonly id: number;
}

/** Of totals whose item has left the list: when, in UNIX seconds. */
interface MayBeGone {
  readonly goneAtSeconds?: number;
}

/** A listing that lacks more than so many, and more than this share of the known items, is believed only when repeated. */
const mostGoneAtOnce = 3;
const mostGoneShare = 0.05;
/** So long the totals of an item that is gone are kept, to go on if it returns. */
const keptSeconds = 7 * 86_400;

/** All that is kept of one item: its entry in the list, what is counted of it, what else was found of it. */
export interface ItemRecord<E extends ListEntry, T, F> {
  readonly entry: E;
  readonly totals: T;
  readonly details: Details<F>;
}

/** What a store has of the items. */
interface RestoredItems<E extends ListEntry, T, F> {
  /** Absent when there is no list. */
  readonly entries: readonly E[] | undefined;
  readonly totals: ReadonlyMap<number, T>;
  readonly details: ReadonlyMap<number, Details<F>>;
}

/** What a row is built from. */
export interface RowInput<E, T, F> {
  readonly entry: E;
  readonly totals: T;
  readonly details: Partial<F>;
  readonly maintenance: MaintenanceState | undefined;
  readonly budget: ErrorBudget | undefined;
  readonly outage: ShownOutage | undefined;
}

export interface CachedRow<E, T, F, R> {
  readonly input: RowInput<E, T, F>;
  readonly row: R;
}

interface ItemStoreOptions<E, T, F, R> {
  /** The dataset that each finding comes from. */
  readonly detailDatasets: { readonly [K in keyof F]-?: DatasetName };
  /** Builds a row; parts of the former one that did not change are taken over. */
  readonly build: (parts: RowInput<E, T, F>, former: CachedRow<E, T, F, R> | undefined) => R;
}

interface RowContext<E extends ListEntry, T, F> {
  readonly isFresh: Freshness;
  /** Absent while nothing is known of maintenance. */
  readonly maintenanceOf: ((id: number) => MaintenanceState) | undefined;
  /** How a record stands against its objective. */
  readonly budgetOf?: (record: ItemRecord<E, T, F>) => ErrorBudget | undefined;
  readonly outageOf?: (id: number) => ShownOutage | undefined;
  /** Another value tells that budgets or outages may have changed. */
  readonly moment?: number;
  /** Another value tells that time has passed, so that something may have grown too old. */
  readonly period: number;
}

interface Shown<E extends ListEntry, T, F, R>
  extends Pick<RowContext<E, T, F>, 'maintenanceOf' | 'period'> {
  readonly rows: readonly R[];
  readonly version: number;
  readonly moment: number | undefined;
}

/**
 * The checks or the transactions of an account. Entries and findings change as they come; totals only
 * when the caller has made them durable. What did not change keeps its object.
 */
export class ItemStore<E extends ListEntry, T extends object, F extends object, R extends object> {
  readonly #options: ItemStoreOptions<E, T, F, R>;
  readonly #records = new Map<number, ItemRecord<E, T, F>>();
  readonly #cachedRows = new Map<number, CachedRow<E, T, F, R>>();
  /** Items whose totals were never booked. */
  readonly #unpersisted = new Set<number>();
  /** Totals of items that are not listed: gone for some days, or restored without their entry. */
  readonly #unlisted = new Map<number, T & MayBeGone>();
  readonly #departed = new Map<number, T | null>();
  /** What the last whole listing lacked, though it was not believed. */
  #missing: ReadonlySet<number> = new Set();
  #version = 0;
  #shown: Shown<E, T, F, R> = {
    rows: [],
    version: -1,
    maintenanceOf: undefined,
    moment: undefined,
    period: 0,
  };

  constructor(options: ItemStoreOptions<E, T, F, R>) {
    this.#options = options;
  }

  get size(): number {
    return this.#records.size;
  }

  ids(): Iterable<number> {
    return this.#records.keys();
  }

  get(id: number): ItemRecord<E, T, F> | undefined {
    return this.#records.get(id);
  }

  records(): Iterable<ItemRecord<E, T, F>> {
    return this.#records.values();
  }

  /** Whether the totals of an item were ever made durable. */
  isPersisted(id: number): boolean {
    return !this.#unpersisted.has(id);
  }

  /** Whether there are totals of an item, listed or gone for less than some days. */
  isKept(id: number): boolean {
    return this.#records.has(id) || this.#unlisted.has(id);
  }

  /** Totals of items that have left the list, null for those to be forgotten, until they are booked. */
  get departed(): ReadonlyMap<number, T | null> {
    return this.#departed;
  }

  /** Goes on where a stored roster ended; totals without an entry wait for the next list. */
  restore({ entries = [], totals, details }: RestoredItems<E, T, F>): void {
    for (const [id, known] of totals) this.#unlisted.set(id, known);
    for (const entry of entries) {
      const known = this.#unlisted.get(entry.id);
      if (known === undefined || known.goneAtSeconds !== undefined) continue;
      this.#unlisted.delete(entry.id);
      this.#put({ entry, totals: known, details: details.get(entry.id) ?? {} });
    }
  }

  /**
   * Takes over a list: what is new starts with `totalsOf`, what returns goes on with the totals it left with, both to be
   * booked. What a whole list lacks is dropped, if these are few, or when the next whole list lacks it as well: a service
   * that loses a part of a list for a moment takes nothing away. The answer holds the ids of what was dropped.
   */
  list(
    entries: readonly E[],
    totalsOf: (entry: E) => T,
    isWhole: boolean = true,
    nowSeconds: number = 0,
  ): ReadonlySet<number> {
    const known = this.#records.size;
    const missing = new Set(this.#records.keys());
    for (const entry of entries) {
      missing.delete(entry.id);
      const record = this.#records.get(entry.id);
      if (record === undefined) {
        this.#put({ entry, totals: this.#returned(entry.id) ?? totalsOf(entry), details: {} });
      } else {
        const merged = mergeEntry(record.entry, entry);
        if (merged !== record.entry) {
          this.#put({ entry: merged, totals: record.totals, details: record.details });
        }
      }
    }
    if (!isWhole) return new Set();
    const areFew = missing.size <= Math.max(mostGoneAtOnce, mostGoneShare * known);
    const gone = areFew ? missing : new Set([...missing].filter((id) => this.#missing.has(id)));
    this.#missing = missing;
    for (const id of gone) {
      const record = this.#records.get(id);
      if (record !== undefined && this.isPersisted(id)) this.#unlisted.set(id, record.totals);
      this.#records.delete(id);
      this.#cachedRows.delete(id);
      this.#unpersisted.delete(id);
      this.#version += 1;
    }
    this.#depart(nowSeconds);
    return gone;
  }

  apply(id: number, totals: T | null): void {
    if (this.#departed.get(id) === totals) this.#departed.delete(id);
    const record = this.#records.get(id);
    if (record !== undefined && totals !== null) {
      this.#unpersisted.delete(id);
      this.#put({ entry: record.entry, totals, details: record.details });
    }
  }

  setDetail<K extends keyof F>(id: number, name: K, value: F[K], at: number): void {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#put({ ...record, details: { ...record.details, [name]: { value, at } } });
  }

  /** Monotonic milliseconds at which the finding of a dataset was fetched. */
  fetchedAt(id: number, dataset: DatasetName): number | undefined {
    const { detailDatasets } = this.#options;
    const names = Object.keys(detailDatasets) as (keyof F)[];
    const name = names.find((candidate) => detailDatasets[candidate] === dataset);
    return name === undefined ? undefined : this.#records.get(id)?.details[name]?.at;
  }

  /** A row for each item, in the order of their ids; one that shows the same as before is the same object. */
  rows(lighting: RowContext<E, T, F>): readonly R[] {
    const { maintenanceOf, moment, period } = lighting;
    const shown = this.#shown;
    const same =
      shown.version === this.#version &&
      shown.maintenanceOf === maintenanceOf &&
      shown.moment === moment &&
      shown.period === period;
    if (same) return shown.rows;
    const records = [...this.#records.values()].sort((a, b) => a.entry.id - b.entry.id);
    const rows = records.map((record) => this.#row(record, lighting));
    this.#shown = { rows, version: this.#version, maintenanceOf, moment, period };
    return rows;
  }

  /** The totals that an item left with, without the mark; undefined when there are none. */
  #returned(id: number): T | undefined {
    const unlisted = this.#unlisted.get(id);
    this.#unlisted.delete(id);
    this.#departed.delete(id);
    if (unlisted === undefined) {
      this.#unpersisted.add(id);
      return undefined;
    }
    const { goneAtSeconds, ...totals } = unlisted;
    if (goneAtSeconds === undefined) return unlisted;
    this.#unpersisted.add(id);
    return totals as unknown as T;
  }

  /** Marks the totals of items that are newly gone, and gives up those of which it was long ago. */
  #depart(nowSeconds: number): void {
    for (const [id, totals] of this.#unlisted) {
      if (totals.goneAtSeconds === undefined) {
        const gone = { ...totals, goneAtSeconds: nowSeconds };
        this.#unlisted.set(id, gone);
        this.#departed.set(id, gone);
      } else if (totals.goneAtSeconds < nowSeconds - keptSeconds) {
        this.#unlisted.delete(id);
        this.#departed.set(id, null);
      }
    }
  }

  #put(record: ItemRecord<E, T, F>): void {
    this.#records.set(record.entry.id, record);
    this.#version += 1;
  }

  #row(record: ItemRecord<E, T, F>, lighting: RowContext<E, T, F>): R {
    const { entry, totals, details } = record;
    const { isFresh, maintenanceOf, budgetOf, outageOf } = lighting;
    const { detailDatasets, build } = this.#options;
    const parts = {
      entry,
      totals,
      details: freshDetails(details, detailDatasets, isFresh),
      maintenance: maintenanceOf?.(entry.id),
      budget: budgetOf?.(record),
      outage: outageOf?.(entry.id),
    };
    const former = this.#cachedRows.get(entry.id);
    if (former !== undefined && sameInput(former.input, parts)) return former.row;
    const row = build(parts, former);
    this.#cachedRows.set(entry.id, { input: parts, row });
    return row;
  }
}

/** The new entry with the parts of the former one that are the same in it; the former one when all are. */
function mergeEntry<E extends object>(former: E, entry: E): E {
  const merged = { ...entry };
  let known = 0;
  let isSame = true;
  for (const key in entry) {
    const [before, after] = [former[key], entry[key]];
    if (before !== undefined) known++;
    if (before === after) continue;
    if (typeof after === 'object' && plainEqual(before, after)) merged[key] = before;
    else isSame = false;
  }
  return isSame && known === Object.keys(former).length ? former : merged;
}

function sameInput<E, T, F extends object>(a: RowInput<E, T, F>, b: RowInput<E, T, F>): boolean {
  return (
    a.entry === b.entry &&
    a.totals === b.totals &&
    a.maintenance === b.maintenance &&
    a.budget === b.budget &&
    a.outage === b.outage &&
    sameValues(a.details, b.details)
  );
}

function sameValues<F extends object>(a: Partial<F>, b: Partial<F>): boolean {
  const names = Object.keys(a) as (keyof F)[];
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
