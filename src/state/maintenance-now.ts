import type {
  MaintenanceMembers,
  MaintenanceSpan,
  MaintenanceWindow,
} from '../domain/maintenance.ts';
import { present } from '../lib/present.ts';
import type { ItemKind } from '../store/store.ts';
import { keepSame } from './keep-same.ts';
import type { MaintenanceSnapshot, MaintenanceState } from './snapshot.ts';

export type MemberIds = (maintenance: MaintenanceMembers) => readonly number[];

/** The ids of the items of a kind that are in maintenance together. */
export const memberIdsOf: Readonly<Record<ItemKind, MemberIds>> = {
  check: ({ checkIds }) => checkIds,
  transaction: ({ transactionIds }) => transactionIds,
};

/** The items that are in maintenance at one time. It is valid until `untilSeconds`. */
export interface MaintenanceNow {
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
  const checks = statesByMember(windows, stateOf, memberIdsOf.check);
  const transactions = statesByMember(windows, stateOf, memberIdsOf.transaction);
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
  membersOf: MemberIds,
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
