import type { DatasetName } from '../../domain/dataset.ts';
import { plainEqual } from '../../lib/plain-equal.ts';
import type { ErrorBudget } from '../../slo/error-budget.ts';
import type { MaintenanceState, ShownOutage } from '../snapshot.ts';
import { type BeginningItem, type Begun, BegunCounters } from './begun-counters.ts';
import type { ItemMemory } from './item-memory.ts';

/** The ages of details are compared this often: one that is too old is shown for so long at most. */
const agingMilliseconds = 10_000;

/** A value and the monotonic milliseconds at which it was fetched. */
export interface Dated<T> {
  readonly value: T;
  readonly at: number;
}

/** Values of one item that are fetched separately, by the name of their field in the row. */
export type Details<T> = { readonly [K in keyof T]?: Dated<T[K]> };

type DetailDatasets<F> = { readonly [K in keyof F]-?: DatasetName };

/**
 * The length in seconds of the past that a detail describes, such as a day. The detail is not shown
 * when it is older, even if its dataset is refreshed more rarely.
 */
type DetailSpans<F> = { readonly [K in keyof F]?: number };

export interface RowSettings<E extends ListEntry, T, F, R> {
  readonly detailDatasets: DetailDatasets<F>;
  readonly detailSpans?: DetailSpans<F>;
  readonly build: BuildRow<E, T, F, R>;
  readonly begunBetween?: BegunBetween<T>;
}

interface ListEntry {
  readonly id: number;
}

/**
 * The data of one item: its entry in the list, its totals, its details, and what other rooms keep
 * of it. The record is the same object while the item is listed; its fields are replaced, never
 * changed in place.
 */
export interface ItemRecord<E extends ListEntry, T, F> extends ItemMemory {
  readonly entry: E;
  readonly totals: T;
  readonly details: Details<F>;
}

/** What the row of an item shows of its outages. */
export interface RowStanding {
  readonly budget: ErrorBudget | undefined;
  readonly outage: ShownOutage | undefined;
  readonly lastOutageStartSeconds: number | undefined;
}

/** The data that a row is built from. */
export interface RowInput<E, T, F> extends RowStanding {
  readonly entry: E;
  readonly totals: T;
  readonly details: Partial<F>;
  readonly maintenance: MaintenanceState | undefined;
  /** Counters that are shown with 0, because they have just begun. */
  readonly begun: Begun | undefined;
}

/** The last row of an item and its input; both are absent before the first row. */
export interface PreviousRow<E, T, F, R> {
  readonly input: RowInput<E, T, F> | undefined;
  readonly row: R | undefined;
}

/** Builds a row, and reuses unchanged parts of the previous one. */
type BuildRow<E, T, F, R> = (input: RowInput<E, T, F>, previous: PreviousRow<E, T, F, R>) => R;

/** Returns the names of the counters that exist in `after` but not in `before`. */
type BegunBetween<T> = (before: T, after: T) => readonly string[];

const noneBegun = () => [];

/** Data of rows besides their records. A change must invalidate the affected rows. */
export interface RowContext<E extends ListEntry, T, F> {
  /** Data of a dataset fetched at this moment or later are shown; monotonic milliseconds. */
  readonly freshSince: (dataset: DatasetName) => number;
  /** Monotonic milliseconds. */
  readonly now: number;
  /** Absent while nothing is known of maintenance. */
  readonly maintenanceOf?: ((id: number) => MaintenanceState) | undefined;
  /** Called when a row is built, and only then. */
  readonly standingOf?: (record: ItemRecord<E, T, F>) => RowStanding;
}

/** The row of an item, with what it was built from. It hangs on the item's record. */
export interface RowItem<E extends ListEntry, T, F, R>
  extends PreviousRow<E, T, F, R>,
    BeginningItem {
  readonly record: ItemRecord<E, T, F>;
  /** Index of its row; set when the rows are sorted. Undefined for an item that has left. */
  place: number | undefined;
  isInvalid: boolean;
  input: RowInput<E, T, F> | undefined;
  row: R | undefined;
}

/**
 * The rows of a list, ordered by id. Only invalidated rows are built again, the rows are sorted
 * only when items are added or removed, and stale details are found by their age.
 */
export class ItemRows<E extends ListEntry, T, F extends object, R extends object> {
  readonly #datasets: DetailDatasets<F>;
  readonly #spans: DetailSpans<F>;
  readonly #build: BuildRow<E, T, F, R>;
  readonly #begunBetween: BegunBetween<T>;
  readonly #begun = new BegunCounters<RowItem<E, T, F, R>>();
  /** In the order of their rows, if that is not out of date. */
  #items: RowItem<E, T, F, R>[] = [];
  readonly #noDetails: Partial<F> = {};
  #invalid: RowItem<E, T, F, R>[] = [];
  /** The number of invalid rows that were built ahead. */
  #prepared = 0;
  #isOrdered = true;
  /** When the ages of all details were last compared; monotonic milliseconds. */
  #agedAt = Number.NEGATIVE_INFINITY;
  #rows: readonly R[] = [];

  constructor(settings: RowSettings<E, T, F, R>) {
    const { detailDatasets, detailSpans = {}, build, begunBetween = noneBegun } = settings;
    this.#datasets = detailDatasets;
    this.#spans = detailSpans;
    this.#build = build;
    this.#begunBetween = begunBetween;
  }

  add(record: ItemRecord<E, T, F>): RowItem<E, T, F, R> {
    const item: RowItem<E, T, F, R> = {
      record,
      place: -1,
      isInvalid: false,
      input: undefined,
      row: undefined,
      begun: undefined,
    };
    this.#items.push(item);
    this.#isOrdered = false;
    this.invalidate(item);
    return item;
  }

  remove(item: RowItem<E, T, F, R>): void {
    item.place = undefined;
    this.#begun.forget(item);
    this.#isOrdered = false;
  }

  /** The record of an item, or other data of its row, has changed. */
  invalidate(item: RowItem<E, T, F, R>): void {
    if (item.isInvalid) return;
    item.isInvalid = true;
    this.#invalid.push(item);
  }

  invalidateAll(): void {
    for (const item of this.#items) this.invalidate(item);
  }

  /** The number of invalid rows. */
  get toBuild(): number {
    return this.#invalid.length - this.#prepared;
  }

  /** Builds up to `most` rows ahead, for `rows` to use. Returns whether more are left. */
  prepare(context: RowContext<E, T, F>, most: number): boolean {
    const end = Math.min(this.#prepared + most, this.#invalid.length);
    for (const item of this.#invalid.slice(this.#prepared, end)) {
      if (item.place !== undefined) this.#row(item, context);
    }
    this.#prepared = end;
    return end < this.#invalid.length;
  }

  /** A row for each item. Unchanged rows, and an unchanged array, are the same objects. */
  rows(context: RowContext<E, T, F>): readonly R[] {
    this.#age(context);
    this.#begun.moveTo(context.now, (item) => this.invalidate(item));
    const invalid = this.#invalid;
    if (invalid.length === 0 && this.#isOrdered) return this.#rows;
    this.#invalid = [];
    this.#prepared = 0;
    if (!this.#isOrdered) return this.#reordered(context);
    let rows: R[] | undefined;
    for (const item of invalid) {
      const { place } = item;
      if (place === undefined) continue;
      const row = this.#row(item, context);
      if (row === (rows ?? this.#rows)[place]) continue;
      rows ??= this.#rows.slice();
      rows[place] = row;
    }
    this.#rows = rows ?? this.#rows;
    return this.#rows;
  }

  #reordered(context: RowContext<E, T, F>): readonly R[] {
    this.#items = this.#items
      .filter(({ place }) => place !== undefined)
      .sort((a, b) => a.record.entry.id - b.record.entry.id);
    this.#rows = this.#items.map((item, place) => {
      item.place = place;
      return this.#row(item, context);
    });
    this.#isOrdered = true;
    return this.#rows;
  }

  #row(item: RowItem<E, T, F, R>, context: RowContext<E, T, F>): R {
    const { record, row: previous } = item;
    if (previous !== undefined && !item.isInvalid) return previous;
    item.isInvalid = false;
    const { entry, totals, details } = record;
    const shown = item.input?.totals;
    const begins = shown === undefined || shown === totals ? [] : this.#begunBetween(shown, totals);
    const before = item.input;
    const standing = context.standingOf?.(record);
    const input = {
      entry,
      totals,
      details: this.#freshDetails(details, context),
      maintenance: context.maintenanceOf?.(entry.id),
      budget: kept(before?.budget, standing?.budget),
      outage: kept(before?.outage, standing?.outage),
      lastOutageStartSeconds: standing?.lastOutageStartSeconds,
      begun: this.#begun.of(item, begins, context.now),
    };
    const isSame = item.input !== undefined && isSameInput(item.input, input);
    if (previous !== undefined && isSame) return previous;
    const row = this.#build(input, item);
    item.input = input;
    item.row = row;
    return row;
  }

  /** Invalidates rows with a detail that has become stale, or fresh again under a longer interval. */
  #age(context: RowContext<E, T, F>): void {
    if (context.now < this.#agedAt + agingMilliseconds) return;
    this.#agedAt = context.now;
    const freshSince = new Map<string, number>();
    for (const name in this.#datasets) freshSince.set(name, this.#freshSince(name, context));
    for (const item of this.#items) {
      if (item.input === undefined) continue;
      const { details } = item.record;
      for (const name in details) {
        const isFresh = (details[name]?.at ?? 0) >= (freshSince.get(name) ?? 0);
        if (isFresh !== name in item.input.details) this.invalidate(item);
      }
    }
  }

  /** The time since which a shown detail was fetched; monotonic milliseconds. */
  #freshSince(name: keyof F, { freshSince, now }: RowContext<E, T, F>): number {
    const spanSeconds = this.#spans[name] ?? Number.POSITIVE_INFINITY;
    return Math.max(freshSince(this.#datasets[name]), now - spanSeconds * 1000);
  }

  #freshDetails(details: Details<F>, context: RowContext<E, T, F>): Partial<F> {
    let fresh: Partial<F> | undefined;
    for (const name in details) {
      const detail = details[name];
      if (detail !== undefined && detail.at >= this.#freshSince(name, context)) {
        fresh ??= {};
        fresh[name] = detail.value;
      }
    }
    return fresh ?? this.#noDetails;
  }
}

/** The value before, if the value is equal to it. */
function kept<V>(before: V | undefined, value: V | undefined): V | undefined {
  return plainEqual(before, value) ? before : value;
}

function isSameInput<E, T, F extends object>(a: RowInput<E, T, F>, b: RowInput<E, T, F>): boolean {
  return (
    a.entry === b.entry &&
    a.totals === b.totals &&
    a.maintenance === b.maintenance &&
    a.budget === b.budget &&
    a.outage === b.outage &&
    a.lastOutageStartSeconds === b.lastOutageStartSeconds &&
    a.begun === b.begun &&
    hasSameValues(a.details, b.details)
  );
}

function hasSameValues<F extends object>(a: Partial<F>, b: Partial<F>): boolean {
  if (a === b) return true;
  const names = Object.keys(a) as (keyof F)[];
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
