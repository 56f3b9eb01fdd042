import type { ErrorBudget } from '../../windows/error-budget.ts';
import type { SloPolicy } from '../../windows/groups.ts';
import type { FormerOutage, Outages } from '../../windows/outages.ts';
import type { StateTotals } from '../items/totals.ts';
import type { MaintenanceStates, OccurrencesOf } from '../maintenance.ts';
import type { ShownOutage } from '../snapshot.ts';
import { AccountOutages, type OutageEntry } from './account-outages.ts';
import { AccountWindows, type WindowedEntry } from './account-windows.ts';

interface StandingRecord<E> {
  readonly entry: E;
  readonly totals: StateTotals;
}

interface StandingItems<E> {
  readonly membershipVersion: number;
  get(id: number): StandingRecord<E> | undefined;
  records(): Iterable<StandingRecord<E>>;
  invalidate(id: number): void;
  invalidateAll(): void;
}

interface ItemStandingOptions<E, W extends WindowedEntry, R> {
  readonly items: StandingItems<E>;
  readonly occurrencesOf: OccurrencesOf;
  readonly slo: () => SloPolicy;
  readonly onInvalidTag: (tag: string) => void;
  readonly windowedEntry: (record: StandingRecord<E>) => W;
  /** Called when a budget was computed, or found unchanged. */
  readonly onBudget?: (entry: W, totals: StateTotals) => void;
  /** Whether the entry alone rules out that an outage begins. */
  readonly isUp: (entry: E) => boolean;
  readonly outageEntry: (record: StandingRecord<E>) => OutageEntry;
  /** Rows of outages that are shown without an item. */
  readonly formerRows: (outages: Outages, isListed: (id: number) => boolean) => readonly R[];
}

/**
 * How the checks, or the transactions, of an account stand: their open outages, and their error budgets. It
 * invalidates the rows of those for which that changes.
 */
export class ItemStanding<E extends { readonly id: number }, W extends WindowedEntry, R> {
  readonly #options: ItemStandingOptions<E, W, R>;
  readonly #outages = new AccountOutages();
  readonly #windows: AccountWindows;
  #former:
    | { readonly outages: Outages; readonly version: number; readonly rows: readonly R[] }
    | undefined;

  constructor(options: ItemStandingOptions<E, W, R>) {
    this.#options = options;
    this.#windows = new AccountWindows(options.slo, options.onInvalidTag);
  }

  get windows(): AccountWindows {
    return this.#windows;
  }

  get outages(): Outages {
    return this.#outages.current;
  }

  forget(id: number): void {
    this.#windows.forget(id);
  }

  applyPolicy(): void {
    if (this.#windows.applyPolicy()) this.#options.items.invalidateAll();
  }

  /** Windows end no later than this, in UNIX seconds. */
  moveWindows(nowSeconds: number): void {
    this.#windows.moveTo(nowSeconds, this.#invalidate);
  }

  /** Ends the outages of items whose maintenance has begun; whether anything changed. */
  moveOutages(maintenance: MaintenanceStates, nowSeconds: number): boolean {
    return this.#outages.move(maintenance, nowSeconds, this.#invalidate);
  }

  applyOutages(outages: Outages): void {
    this.#outages.apply(outages, this.#invalidate);
  }

  /** The outages as the list shows them now; undefined when nothing changed. From a list that is not complete none is gone. */
  listedOutages(
    isComplete: boolean,
    maintenance: MaintenanceStates,
    nowSeconds: number,
  ): Outages | undefined {
    const { items, isUp, outageEntry } = this.#options;
    const { current } = this.#outages;
    const entries: OutageEntry[] = [];
    for (const record of items.records()) {
      if (isUp(record.entry) && !current.items.has(record.entry.id)) continue;
      entries.push(outageEntry(record));
    }
    const isListed = (id: number) => !isComplete || items.get(id) !== undefined;
    const outages = this.#outages.listed({ entries, maintenance, isListed, nowSeconds });
    return outages === current ? undefined : outages;
  }

  /** Everything is over, because the account is no longer monitored. */
  retiredOutages(nowSeconds: number): readonly FormerOutage[] {
    return this.#outages.retired(nowSeconds);
  }

  readonly budgetOf = (record: StandingRecord<E>): ErrorBudget => {
    const { windowedEntry, occurrencesOf, onBudget } = this.#options;
    const { totals } = record;
    const entry = windowedEntry(record);
    const budget = this.#windows.budgetOf(entry, totals, occurrencesOf(entry.id));
    onBudget?.(entry, totals);
    return budget;
  };

  /** A report tells when an outage began before the next list is read. */
  readonly outageOf = (id: number): ShownOutage | undefined => {
    const shown = this.#outages.of(id);
    if (shown?.seenAtSeconds === undefined) return shown;
    const { items, outageEntry } = this.#options;
    const record = items.get(id);
    const sinceSeconds = record && outageEntry(record).sinceSeconds;
    const { seenAtSeconds: _, ...known } = shown;
    return sinceSeconds === undefined ? shown : { ...known, sinceSeconds };
  };

  /** The same array while it holds. */
  formerRows(): readonly R[] {
    const { items, formerRows } = this.#options;
    const { membershipVersion: version } = items;
    const outages = this.#outages.current;
    if (this.#former?.outages !== outages || this.#former.version !== version) {
      const rows = formerRows(outages, (id) => items.get(id) !== undefined);
      this.#former = { outages, version, rows };
    }
    return this.#former.rows;
  }

  readonly #invalidate = (id: number): void => this.#options.items.invalidate(id);
}
