import type { AccountData } from '../domain/account.ts';
import type { TimeRange } from '../domain/interval.ts';
import { membersByOccurrence } from '../domain/maintenance.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import { firstSightOf, type KnownStates, keptFromSeconds } from '../slo/state-log.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import { changedKeys, keepSame } from './keep-same.ts';
import {
  type MaintenanceNow,
  type MemberIds,
  maintenanceAt,
  memberIdsOf,
} from './maintenance-now.ts';

/** Returns the maintenance occurrences that a check or a transaction is part of. */
export type OccurrencesOf = (id: number) => readonly TimeRange[];

type OccurrencesById = ReadonlyMap<number, readonly TimeRange[]>;
const noOccurrences: readonly TimeRange[] = [];

export function occurrencesByItem(
  kind: ItemKind,
  maintenance: AccountData['maintenance'],
): OccurrencesOf {
  const items = occurrencesBy(maintenance, memberIdsOf[kind]);
  return (id) => items.get(id) ?? noOccurrences;
}

function occurrencesBy(
  maintenance: AccountData['maintenance'],
  membersOf: MemberIds,
): OccurrencesById {
  const items = new Map<number, TimeRange[]>();
  const add = (id: number, one: TimeRange) => getOrMake(items, id, () => []).push(one);
  if (maintenance === undefined) return items;
  for (const { fromSeconds, toSeconds, ...members } of membersByOccurrence(maintenance)) {
    const occurrence = { fromSeconds, toSeconds };
    for (const id of membersOf(members)) add(id, occurrence);
  }
  return items;
}

/** The checks or transactions whose rows show maintenance. */
interface MaintainedItems {
  invalidate(id: number): void;
  invalidateAll(): void;
  records(): Iterable<{ readonly totals: KnownStates }>;
}

type OfKinds<T> = Readonly<Record<ItemKind, T>>;
type ListedMaintenance = Pick<NonNullable<AccountData['maintenance']>, 'windows' | 'occurrences'>;

/** The maintenance as last read. Invalidates rows when it begins, ends or changes. */
export class MaintenanceCalendar {
  readonly #items: OfKinds<MaintainedItems>;
  #maintenance: AccountData['maintenance'];
  #unstored: ListedMaintenance | undefined;
  #movedToSeconds = Number.NEGATIVE_INFINITY;
  #readAtSeconds = Number.NEGATIVE_INFINITY;
  #now: MaintenanceNow | undefined;
  #occurrences: OfKinds<OccurrencesById> = { check: new Map(), transaction: new Map() };

  constructor(items: OfKinds<MaintainedItems>) {
    this.#items = items;
  }

  /** Maintenance whose past is as it was known before windows were edited. */
  set(read: NonNullable<AccountData['maintenance']>, nowSeconds: number): void {
    this.#maintenance = read;
    this.#readAtSeconds = nowSeconds;
    this.#unstored = undefined;
    const previous = this.#occurrences;
    this.#occurrences = {
      check: keepSame(previous.check, occurrencesBy(read, memberIdsOf.check)),
      transaction: keepSame(previous.transaction, occurrencesBy(read, memberIdsOf.transaction)),
    };
    this.#invalidate(previous, this.#occurrences);
    this.#moveTo(nowSeconds);
  }

  /** The report is the same as before. */
  readAgain(nowSeconds: number): void {
    this.#readAtSeconds = nowSeconds;
    this.showUnstored(undefined, nowSeconds);
  }

  /** Call this after stored maintenance was set, with the time of its last read, if it is known. */
  restored(readAtSeconds = Number.NEGATIVE_INFINITY): void {
    this.#readAtSeconds = readAtSeconds;
  }

  /**
   * Maintenance is known from then on (UNIX seconds): for 35 days, which ratios need, and for the
   * months of items that have no record yet.
   */
  keptFromSeconds(nowSeconds: number): number {
    let sealedUntilSeconds = nowSeconds;
    for (const items of Object.values(this.#items)) {
      for (const { totals } of items.records()) {
        const since = totals.sealedUntilSeconds ?? firstSightOf(totals);
        if (since < sealedUntilSeconds) sealedUntilSeconds = since;
      }
    }
    return keptFromSeconds({ sealedUntilSeconds }, nowSeconds);
  }

  /** When the service last reported what was set. */
  get readAtSeconds(): number {
    return this.#readAtSeconds;
  }

  /**
   * Shows which items are in maintenance as reported, although the report could not be stored.
   * Occurrences stay as they were set, so that nothing is counted with it. Undefined shows what was
   * set.
   */
  showUnstored(reported: ListedMaintenance | undefined, nowSeconds: number): void {
    if (reported === this.#unstored) return;
    this.#unstored = reported;
    this.#moveTo(nowSeconds);
  }

  /** Returns whether what is shown was set. */
  get isStored(): boolean {
    return this.#unstored === undefined;
  }

  get read(): AccountData['maintenance'] {
    return this.#maintenance;
  }

  /** The result of the last `at`. */
  get now(): MaintenanceNow | undefined {
    return this.#now;
  }

  /** The occurrences of a check or a transaction since the earliest horizon. */
  readonly occurrencesOf: Readonly<Record<ItemKind, OccurrencesOf>> = {
    check: (id) => this.#occurrences.check.get(id) ?? noOccurrences,
    transaction: (id) => this.#occurrences.transaction.get(id) ?? noOccurrences,
  };

  /**
   * The maintenance at a time. Undefined while maintenance is unknown; the same object while
   * nothing changes. The clock may step back between two calls.
   */
  at(nowSeconds: number): MaintenanceNow | undefined {
    const hasMoved =
      nowSeconds < this.#movedToSeconds || nowSeconds >= (this.#now?.untilSeconds ?? 0);
    if (this.#now !== undefined && hasMoved) this.#moveTo(nowSeconds);
    return this.#now;
  }

  #moveTo(nowSeconds: number): void {
    const { windows = [], occurrences = [] } = this.#unstored ?? this.#maintenance ?? {};
    const previous = this.#now;
    const now = maintenanceAt(windows, occurrences, nowSeconds, previous);
    this.#now = now;
    this.#movedToSeconds = nowSeconds;
    if (previous !== undefined) this.#invalidate(previous, now);
    else for (const items of Object.values(this.#items)) items.invalidateAll();
  }

  #invalidate<T>(previous: OfKinds<ReadonlyMap<number, T>>, next: typeof previous): void {
    for (const kind of itemKinds) {
      for (const id of changedKeys(previous[kind], next[kind])) this.#items[kind].invalidate(id);
    }
  }
}
