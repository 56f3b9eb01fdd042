import type { AccountData } from '../domain/account.ts';
import type { TimeRange } from '../domain/interval.ts';
import {
  type MaintenanceMembers,
  type MaintenanceSpan,
  type MaintenanceWindow,
  membersByOccurrence,
} from '../domain/maintenance.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import { plainEqual } from '../lib/plain-equal.ts';
import { present } from '../lib/present.ts';
import { firstSightOf, type KnownStates, keptFromSeconds } from '../slo/state-log.ts';
import { type ItemKind, itemKinds } from '../store/store.ts';
import type { MaintenanceSnapshot, MaintenanceState } from './snapshot.ts';

/** Returns the maintenance occurrences that a check or a transaction is part of. */
export type OccurrencesOf = (id: number) => readonly TimeRange[];

type OccurrencesById = ReadonlyMap<number, readonly TimeRange[]>;
type MembersOf = (maintenance: MaintenanceMembers) => readonly number[];

const checkIdsOf: MembersOf = ({ checkIds }) => checkIds;
const transactionIdsOf: MembersOf = ({ transactionIds }) => transactionIds;
const noOccurrences: readonly TimeRange[] = [];

export function occurrencesByItem(
  kind: ItemKind,
  maintenance: AccountData['maintenance'],
): OccurrencesOf {
  const items = occurrencesBy(maintenance, kind === 'check' ? checkIdsOf : transactionIdsOf);
  return (id) => items.get(id) ?? noOccurrences;
}

function occurrencesBy(
  maintenance: AccountData['maintenance'],
  membersOf: MembersOf,
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

/** The items that are in maintenance at one time. It is valid until `untilSeconds`. */
interface MaintenanceNow {
  readonly shown: MaintenanceSnapshot;
  readonly check: MaintenanceStates;
  readonly transaction: MaintenanceStates;
  readonly untilSeconds: number;
}

/** Keyed by id of the check or transaction. An item without maintenance is absent. */
export type MaintenanceStates = ReadonlyMap<number, MaintenanceState>;

type NonEmpty<T> = [T, ...T[]];

export const notInMaintenance: MaintenanceState = { active: false };

/** Computes which items are in maintenance. Parts equal to `previous` are reused. */
export function maintenanceAt(
  windows: readonly MaintenanceWindow[],
  occurrences: readonly MaintenanceSpan[],
  nowSeconds: number,
  previous?: MaintenanceNow,
): MaintenanceNow {
  const ahead = occurrences
    .filter(({ toSeconds }) => toSeconds > nowSeconds)
    .sort((a, b) => a.fromSeconds - b.fromSeconds);
  const aheadOf = byWindow(ahead);
  const states = new Map([...aheadOf].map(([id, inOrder]) => [id, stateAt(inOrder, nowSeconds)]));
  const stateOf = (id: number) => states.get(id) ?? notInMaintenance;
  const checks = statesByMember(windows, stateOf, checkIdsOf);
  const transactions = statesByMember(windows, stateOf, transactionIdsOf);
  return {
    shown: {
      windows,
      next: new Map([...aheadOf].map(([id, [first]]) => [id, first])),
      activeIds: new Set(windows.map(({ id }) => id).filter((id) => stateOf(id).active)),
    },
    check: keepSame(previous?.check, checks),
    transaction: keepSame(previous?.transaction, transactions),
    untilSeconds: nextBoundary(ahead, nowSeconds),
  };
}

function byWindow(
  inOrder: readonly MaintenanceSpan[],
): ReadonlyMap<number, NonEmpty<MaintenanceSpan>> {
  const ofWindows = new Map<number, NonEmpty<MaintenanceSpan>>();
  for (const occurrence of inOrder) {
    const sameWindow = ofWindows.get(occurrence.maintenanceId);
    if (sameWindow === undefined) ofWindows.set(occurrence.maintenanceId, [occurrence]);
    else sameWindow.push(occurrence);
  }
  return ofWindows;
}

function nextBoundary(ahead: readonly MaintenanceSpan[], nowSeconds: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { fromSeconds, toSeconds } of ahead) {
    next = Math.min(next, fromSeconds > nowSeconds ? fromSeconds : toSeconds);
  }
  return next;
}

function stateAt(inOrder: readonly MaintenanceSpan[], nowSeconds: number): MaintenanceState {
  const current = inOrder.filter(({ fromSeconds }) => fromSeconds <= nowSeconds);
  const next = inOrder.find(({ fromSeconds }) => fromSeconds > nowSeconds);
  return present({
    active: current.length > 0,
    endAtSeconds: extreme(
      Math.max,
      current.map(({ toSeconds }) => toSeconds),
    ),
    nextStartAtSeconds: next?.fromSeconds,
  });
}

/** Each member's maintenance. It lasts while any of its windows is in effect. */
function statesByMember(
  windows: readonly MaintenanceWindow[],
  stateOf: (windowId: number) => MaintenanceState,
  membersOf: MembersOf,
): Map<number, MaintenanceState> {
  const states = new Map<number, MaintenanceState>();
  for (const window of windows) {
    const state = stateOf(window.id);
    for (const member of membersOf(window)) {
      const before = states.get(member);
      states.set(member, before === undefined ? state : joinStates(before, state));
    }
  }
  return states;
}

function joinStates(a: MaintenanceState, b: MaintenanceState): MaintenanceState {
  return present({
    active: a.active || b.active,
    endAtSeconds: extreme(Math.max, [a.endAtSeconds, b.endAtSeconds]),
    nextStartAtSeconds: extreme(Math.min, [a.nextStartAtSeconds, b.nextStartAtSeconds]),
  });
}

/** Undefined without a time. */
function extreme(
  choose: (...times: readonly number[]) => number,
  times: readonly (number | undefined)[],
): number | undefined {
  const given = times.filter((at) => at !== undefined);
  return given.length === 0 ? undefined : choose(...given);
}

/** Returns the values of `next`, reusing equal objects of the same key. */
function keepSame<T>(
  previous: ReadonlyMap<number, T> | undefined,
  next: ReadonlyMap<number, T>,
): ReadonlyMap<number, T> {
  if (previous === undefined || previous.size === 0) return next;
  const kept = new Map<number, T>();
  for (const [id, value] of next) {
    const before = previous.get(id);
    kept.set(id, before !== undefined && plainEqual(before, value) ? before : value);
  }
  return kept;
}

/** The keys whose value in `next` is not the same object as in `previous`, including removed keys. */
function* changedKeys<T>(
  previous: ReadonlyMap<number, T>,
  next: ReadonlyMap<number, T>,
): Iterable<number> {
  for (const [id, value] of next) if (previous.get(id) !== value) yield id;
  for (const id of previous.keys()) if (!next.has(id)) yield id;
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
      check: keepSame(previous.check, occurrencesBy(read, checkIdsOf)),
      transaction: keepSame(previous.transaction, occurrencesBy(read, transactionIdsOf)),
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
