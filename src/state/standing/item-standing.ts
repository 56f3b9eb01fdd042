import type { OutageNote } from '../../slo/last-outages.ts';
import type { OutageEvidence, Outages } from '../../slo/outages.ts';
import type { SecondsByRange } from '../../slo/range-seconds.ts';
import type { ItemStates } from '../../slo/reported-states.ts';
import type { Dated, RowStanding } from '../items/item-rows.ts';
import type { StateTotals } from '../items/totals.ts';
import type { OccurrencesOf } from '../maintenance.ts';
import type { MaintenanceStates } from '../maintenance-now.ts';
import type { ShownOutage } from '../snapshot.ts';
import type { GroupedItem } from './account-groups.ts';
import { AccountOutages, type LeavingOutages } from './account-outages.ts';
import { AccountSlo, type ObjectiveEvents, type SloEntry, type SloItem } from './account-slo.ts';
import { type LastOutageItem, LastOutageStarts } from './last-outage-starts.ts';
import type { Policies } from './policies.ts';
import { type FailedItem, type ListedRange, latestOutageSeconds } from './recent-outages.ts';

/** The place, at an item, of the latest start that an outage of it can have. UNIX seconds. */
interface LatestOutage {
  latestOutageSeconds: number | undefined;
}

interface StandingRecord<E> extends SloItem, GroupedItem, LastOutageItem, LatestOutage {
  readonly entry: E;
  readonly totals: StateTotals;
  readonly details: { readonly notes?: Dated<readonly OutageNote[]> };
}

interface StandingItems<E> {
  readonly membershipVersion: number;
  get(id: number): StandingRecord<E> | undefined;
  records(): Iterable<StandingRecord<E>>;
  invalidate(id: number): void;
  invalidateAll(): void;
}

/** The differences between checks and transactions. */
export interface ItemTraits<E, W extends SloEntry, R> {
  readonly name: 'check' | 'transaction';
  states(
    record: StandingRecord<E>,
    facts: { readonly outage: ShownOutage | undefined },
  ): ItemStates;
  /** The last outage that the list shows, open or closed. */
  listedOutage(entry: E): ListedRange;
  sloEntry(record: StandingRecord<E>): W;
  /** Returns whether the entry alone shows that no outage begins. */
  isUp(entry: E): boolean;
  outageEntry(record: StandingRecord<E>): OutageEvidence;
  /** Rows for the outages of items that are not in the list. */
  endedRows(outages: Outages, isListed: (id: number) => boolean): readonly R[];
}

/** Receives from each item the data that its groups need. */
interface Groups<W> {
  contribute(item: GroupedItem, entry: W, seconds: SecondsByRange, hasOpenOutage: boolean): void;
}

interface ItemStandingOptions<E, W extends SloEntry, R> {
  readonly kind: ItemTraits<E, W, R>;
  readonly items: StandingItems<E>;
  readonly occurrencesOf: OccurrencesOf;
  readonly policies: Policies;
  readonly events: ObjectiveEvents;
  /** Absent for items that are not grouped. */
  readonly groups?: Groups<W>;
}

/** The outages and error budgets of checks or transactions. Invalidates rows on changes. */
export class ItemStanding<
  E extends { readonly id: number; readonly name: string },
  W extends SloEntry,
  R,
> {
  readonly #options: ItemStandingOptions<E, W, R>;
  readonly #outages: AccountOutages;
  readonly #lastOutages = new LastOutageStarts();
  /** The latest of the latest starts that changed since `takeChangedOutages`, before or after the change. */
  #changedOutageSeconds = Number.NEGATIVE_INFINITY;
  readonly slo: AccountSlo;
  #ended:
    | {
        readonly outages: Outages;
        readonly version: number;
        readonly areItemsShown: boolean;
        readonly rows: readonly R[];
      }
    | undefined;

  constructor(options: ItemStandingOptions<E, W, R>) {
    this.#options = options;
    this.#outages = new AccountOutages(options.kind.name, options.policies);
    this.slo = new AccountSlo(options.policies, options.events);
  }

  get outages(): Outages {
    return this.#outages.current;
  }

  /** The number of open outages; undefined before the first complete or restored list. */
  get openOutages(): number | undefined {
    return this.#outages.openCount;
  }

  /** Closes the outages of items that have left. Returns whether there were any. */
  leave(left: Iterable<LatestOutage>, leaving: LeavingOutages): boolean {
    for (const item of left) this.#setLatestOutage(item, undefined);
    return this.#outages.leave(leaving, this.#invalidate);
  }

  #setLatestOutage(item: LatestOutage, latestSeconds: number | undefined): void {
    for (const seconds of [item.latestOutageSeconds, latestSeconds]) {
      if (seconds === undefined) continue;
      this.#changedOutageSeconds = Math.max(this.#changedOutageSeconds, seconds);
    }
    item.latestOutageSeconds = latestSeconds;
  }

  applyPolicy(): void {
    if (this.slo.applyPolicy()) this.#options.items.invalidateAll();
  }

  /** Sets the time after which no range ends, in UNIX seconds. */
  moveRanges(nowSeconds: number): void {
    const isBack = this.slo.moveTo(nowSeconds);
    for (const { entry, isGrowing } of this.#options.items.records()) {
      if (isBack || isGrowing) this.#invalidate(entry.id);
    }
  }

  /** Moves outages to the present: see `AccountOutages.move`. Returns whether any changed. */
  moveOutages(maintenance: MaintenanceStates, nowSeconds: number): boolean {
    this.#lastOutages.move(nowSeconds, this.#options.items.records(), ({ entry }) =>
      this.#invalidate(entry.id),
    );
    return this.#outages.move(maintenance, nowSeconds, this.#invalidate);
  }

  applyOutages(outages: Outages): void {
    this.#outages.apply(outages, this.#invalidate);
  }

  /** Applies the last list; a partial one removes no outage. Undefined if no outage changed. */
  listedOutages(
    isComplete: boolean,
    maintenance: MaintenanceStates,
    nowSeconds: number,
  ): Outages | undefined {
    const { items, kind } = this.#options;
    const { current } = this.#outages;
    const entries: OutageEvidence[] = [];
    for (const record of items.records()) {
      if (kind.isUp(record.entry) && !current.items.has(record.entry.id)) continue;
      entries.push(kind.outageEntry(record));
    }
    const isListed = (id: number) => !isComplete || items.get(id) !== undefined;
    const outages = this.#outages.listed({
      entries,
      maintenance,
      isComplete,
      isListed,
      nowSeconds,
    });
    return outages === current ? undefined : outages;
  }

  /**
   * What the row of an item shows of its outages. Also counts the item in its groups, and notes when
   * it has its newest outage and when its last one is no longer shown.
   */
  readonly standingOf = (record: StandingRecord<E>): RowStanding => {
    const { kind, groups, occurrencesOf } = this.#options;
    const { entry: listed, totals } = record;
    const entry = kind.sloEntry(record);
    const occurrences = occurrencesOf(entry.id);
    const outage = this.outageOf(entry.id);
    const { seconds, budget } = this.slo.rangesOf(record, entry, totals, occurrences);
    if (groups !== undefined && this.slo.groupsOf(record, entry).length > 0) {
      groups.contribute(record, entry, seconds, outage?.open === true);
    }
    const facts = { totals, listed: kind.listedOutage(listed), open: outage };
    this.#setLatestOutage(record, latestOutageSeconds(facts));
    const lastOutageStartSeconds = this.#lastOutages.of(record, totals, occurrences);
    return { budget, outage, lastOutageStartSeconds };
  };

  /** An item's shown outage, with its start if a report shows it before the next list. */
  outageOf(id: number): ShownOutage | undefined {
    const shown = this.#outages.of(id);
    if (shown?.seenAtSeconds === undefined) return shown;
    const { items, kind } = this.#options;
    const record = items.get(id);
    const sinceSeconds = record && kind.outageEntry(record).sinceSeconds;
    if (sinceSeconds === undefined) return shown;
    const { seenAtSeconds: _, ...known } = shown;
    return { ...known, sinceSeconds };
  }

  /**
   * Returns the latest start that an outage can have of the items that are removed, or whose rows
   * were built, since the last call. -Infinity if none of them may have outages.
   */
  takeChangedOutages(): number {
    const seconds = this.#changedOutageSeconds;
    this.#changedOutageSeconds = Number.NEGATIVE_INFINITY;
    return seconds;
  }

  /** The listed items that may have an outage since then, as they were when their rows were built. */
  *failedSince(sinceSeconds: number): Iterable<FailedItem> {
    const { items, kind, occurrencesOf } = this.#options;
    for (const record of items.records()) {
      const { latestOutageSeconds: latestSeconds, details } = record;
      if (latestSeconds === undefined || latestSeconds < sinceSeconds) continue;
      const { id, name } = record.entry;
      yield {
        kind: kind.name,
        id,
        name,
        latestSeconds,
        states: () => kind.states(record, { outage: this.outageOf(id) }),
        notes: details.notes?.value,
        maintenance: occurrencesOf(id),
      };
    }
  }

  /** Rows for outages whose items have no row. Returns the same array while nothing changes. */
  endedRows(areItemsShown: boolean): readonly R[] {
    const { items, kind } = this.#options;
    const { membershipVersion: version } = items;
    const outages = this.#outages.current;
    const isSame =
      this.#ended?.outages === outages &&
      this.#ended.version === version &&
      this.#ended.areItemsShown === areItemsShown;
    if (this.#ended !== undefined && isSame) return this.#ended.rows;
    const rows = kind.endedRows(outages, (id) => areItemsShown && items.get(id) !== undefined);
    this.#ended = { outages, version, areItemsShown, rows };
    return rows;
  }

  readonly #invalidate = (id: number): void => this.#options.items.invalidate(id);
}
