import type { MaintenanceOccurrence, MaintenanceWindow } from '../domain/maintenance.ts';
import type { MaintenanceState } from './check-row.ts';

/** Who is in maintenance at one moment. It holds until `untilSeconds`. */
export interface MaintenanceNow {
  readonly activeIds: ReadonlySet<number>;
  readonly ofCheck: (id: number) => MaintenanceState;
  readonly ofTransaction: (id: number) => MaintenanceState;
  readonly untilSeconds: number;
}

const none: MaintenanceState = { active: false };

export function maintenanceAt(
  windows: readonly MaintenanceWindow[],
  occurrences: readonly MaintenanceOccurrence[],
  nowSeconds: number,
): MaintenanceNow {
  const byWindow = new Map(
    windows.map(({ id }) => [
      id,
      stateAt(
        occurrences.filter(({ maintenanceId }) => maintenanceId === id),
        nowSeconds,
      ),
    ]),
  );
  const stateOf = (id: number) => byWindow.get(id) ?? none;
  const checks = statesByMember(windows, stateOf, ({ checkIds }) => checkIds);
  const transactions = statesByMember(windows, stateOf, ({ transactionIds }) => transactionIds);
  const boundaries = occurrences.flatMap(({ startAtSeconds, endAtSeconds }) =>
    [startAtSeconds, endAtSeconds].filter((at) => at > nowSeconds),
  );
  return {
    activeIds: new Set(windows.map(({ id }) => id).filter((id) => stateOf(id).active)),
    ofCheck: (id) => checks.get(id) ?? none,
    ofTransaction: (id) => transactions.get(id) ?? none,
    untilSeconds: boundaries.reduce((first, at) => Math.min(first, at), Number.POSITIVE_INFINITY),
  };
}

function stateAt(
  occurrences: readonly MaintenanceOccurrence[],
  nowSeconds: number,
): MaintenanceState {
  const active = occurrences.some(
    ({ startAtSeconds, endAtSeconds }) => startAtSeconds <= nowSeconds && nowSeconds < endAtSeconds,
  );
  const coming = occurrences
    .map(({ startAtSeconds }) => startAtSeconds)
    .filter((start) => start > nowSeconds);
  return coming.length === 0
    ? { active }
    : { active, nextStartAtSeconds: coming.reduce((first, at) => Math.min(first, at)) };
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
