import type { MaintenanceSpan, MaintenanceWindow } from '../domain/maintenance.ts';
import type { Maintenance } from './account-snapshot.ts';
import type { MaintenanceState } from './check-row.ts';

/** Who is in maintenance at one moment. It holds until `untilSeconds`. */
export interface MaintenanceNow {
  readonly shown: Maintenance;
  readonly ofCheck: (id: number) => MaintenanceState;
  readonly ofTransaction: (id: number) => MaintenanceState;
  readonly untilSeconds: number;
}

type NonEmpty<T> = [T, ...T[]];

const none: MaintenanceState = { active: false };

export function maintenanceAt(
  windows: readonly MaintenanceWindow[],
  occurrences: readonly MaintenanceSpan[],
  nowSeconds: number,
): MaintenanceNow {
  const ahead = occurrences
    .filter(({ endAtSeconds }) => endAtSeconds > nowSeconds)
    .sort((a, b) => a.startAtSeconds - b.startAtSeconds);
  const aheadOf = byWindow(ahead);
  const states = new Map([...aheadOf].map(([id, inOrder]) => [id, stateAt(inOrder, nowSeconds)]));
  const stateOf = (id: number) => states.get(id) ?? none;
  const checks = statesByMember(windows, stateOf, ({ checkIds }) => checkIds);
  const transactions = statesByMember(windows, stateOf, ({ transactionIds }) => transactionIds);
  return {
    shown: {
      windows,
      next: new Map([...aheadOf].map(([id, [first]]) => [id, first])),
      activeIds: new Set(windows.map(({ id }) => id).filter((id) => stateOf(id).active)),
    },
    ofCheck: (id) => checks.get(id) ?? none,
    ofTransaction: (id) => transactions.get(id) ?? none,
    untilSeconds: nextBoundary(ahead, nowSeconds),
  };
}

function byWindow(
  inOrder: readonly MaintenanceSpan[],
): ReadonlyMap<number, NonEmpty<MaintenanceSpan>> {
  const ofWindows = new Map<number, NonEmpty<MaintenanceSpan>>();
  for (const occurrence of inOrder) {
    const known = ofWindows.get(occurrence.maintenanceId);
    if (known === undefined) ofWindows.set(occurrence.maintenanceId, [occurrence]);
    else known.push(occurrence);
  }
  return ofWindows;
}

function nextBoundary(ahead: readonly MaintenanceSpan[], nowSeconds: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { startAtSeconds, endAtSeconds } of ahead) {
    next = Math.min(next, startAtSeconds > nowSeconds ? startAtSeconds : endAtSeconds);
  }
  return next;
}

function stateAt(inOrder: readonly MaintenanceSpan[], nowSeconds: number): MaintenanceState {
  const active = inOrder.some(({ startAtSeconds }) => startAtSeconds <= nowSeconds);
  const next = inOrder.find(({ startAtSeconds }) => startAtSeconds > nowSeconds);
  return next === undefined ? { active } : { active, nextStartAtSeconds: next.startAtSeconds };
}

/** A check can be in several windows: it is in maintenance when one of them is in effect. */
function statesByMember(
  windows: readonly MaintenanceWindow[],
  stateOf: (windowId: number) => MaintenanceState,
  membersOf: (window: MaintenanceWindow) => readonly number[],
): Map<number, MaintenanceState> {
  const states = new Map<number, MaintenanceState>();
  for (const window of windows) {
    const state = stateOf(window.id);
    for (const member of membersOf(window)) {
      const before = states.get(member);
      states.set(member, before === undefined ? state : joined(before, state));
    }
  }
  return states;
}

function joined(a: MaintenanceState, b: MaintenanceState): MaintenanceState {
  const starts = [a.nextStartAtSeconds, b.nextStartAtSeconds].filter((at) => at !== undefined);
  const active = a.active || b.active;
  return starts.length === 0 ? { active } : { active, nextStartAtSeconds: Math.min(...starts) };
}
