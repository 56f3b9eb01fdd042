import type { MaintenanceSpan, MaintenanceWindow } from '../domain/maintenance.ts';
import type { OccurrenceSpan } from '../tally/maintenance-tally.ts';
import { historySeconds } from '../windows/state-history.ts';
import type { AccountData, EndedMaintenance } from './account-data.ts';
import type { MaintenanceSnapshot, MaintenanceState } from './snapshot.ts';

/** The occurrences of maintenance that a check, or a transaction, is part of. */
export type OccurrencesOf = (id: number) => readonly OccurrenceSpan[];

const noOccurrences: readonly OccurrenceSpan[] = [];

export function occurrencesByCheck(maintenance: AccountData['maintenance']): OccurrencesOf {
  return occurrencesBy(maintenance, ({ checkIds }) => checkIds);
}

function occurrencesByTransaction(maintenance: AccountData['maintenance']): OccurrencesOf {
  return occurrencesBy(maintenance, ({ transactionIds }) => transactionIds);
}

function occurrencesBy(
  maintenance: AccountData['maintenance'],
  membersOf: (of: Pick<MaintenanceWindow, 'checkIds' | 'transactionIds'>) => readonly number[],
): OccurrencesOf {
  const items = new Map<number, OccurrenceSpan[]>();
  const { windows = [], occurrences = [], ended = [] } = maintenance ?? {};
  const windowsById = new Map(windows.map((window) => [window.id, window]));
  for (const { maintenanceId, startAtSeconds, endAtSeconds } of occurrences) {
    const occurrence = { fromSeconds: startAtSeconds, toSeconds: endAtSeconds };
    const window = windowsById.get(maintenanceId);
    for (const id of window === undefined ? [] : membersOf(window)) append(items, id, occurrence);
  }
  for (const past of ended) {
    const occurrence = { fromSeconds: past.startAtSeconds, toSeconds: past.endAtSeconds };
    for (const id of membersOf(past)) append(items, id, occurrence);
  }
  return (id) => items.get(id) ?? noOccurrences;
}

function append(map: Map<number, OccurrenceSpan[]>, id: number, occurrence: OccurrenceSpan): void {
  const known = map.get(id);
  if (known === undefined) map.set(id, [occurrence]);
  else known.push(occurrence);
}

/** Who is in maintenance at one moment. It holds until `untilSeconds`. */
interface MaintenanceNow {
  readonly shown: MaintenanceSnapshot;
  readonly ofCheck: (id: number) => MaintenanceState;
  readonly ofTransaction: (id: number) => MaintenanceState;
  readonly untilSeconds: number;
}

type NonEmpty<T> = [T, ...T[]];

const notInMaintenance: MaintenanceState = { active: false };

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
  const stateOf = (id: number) => states.get(id) ?? notInMaintenance;
  const checks = statesByMember(windows, stateOf, ({ checkIds }) => checkIds);
  const transactions = statesByMember(windows, stateOf, ({ transactionIds }) => transactionIds);
  return {
    shown: {
      windows,
      next: new Map([...aheadOf].map(([id, [first]]) => [id, first])),
      activeIds: new Set(windows.map(({ id }) => id).filter((id) => stateOf(id).active)),
    },
    ofCheck: (id) => checks.get(id) ?? notInMaintenance,
    ofTransaction: (id) => transactions.get(id) ?? notInMaintenance,
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
      states.set(member, before === undefined ? state : joinStates(before, state));
    }
  }
  return states;
}

function joinStates(a: MaintenanceState, b: MaintenanceState): MaintenanceState {
  const starts = [a.nextStartAtSeconds, b.nextStartAtSeconds].filter((at) => at !== undefined);
  const active = a.active || b.active;
  return starts.length === 0 ? { active } : { active, nextStartAtSeconds: Math.min(...starts) };
}

/** The maintenance of an account as it was last read. What it works out is the same object while it holds. */
export class MaintenanceCalendar {
  #maintenance: AccountData['maintenance'];
  #now: MaintenanceNow | undefined;
  #occurrencesOf: OccurrencesOf = occurrencesByCheck(undefined);
  #transactionOccurrencesOf: OccurrencesOf = occurrencesByTransaction(undefined);

  /** As the service tells it, and what was over before somebody deleted it, unless that is told with it. */
  set(maintenance: NonNullable<AccountData['maintenance']>, nowSeconds: number): void {
    const ended = maintenance.ended ?? endedMaintenance(maintenance, this.#maintenance, nowSeconds);
    const read = ended.length === 0 ? maintenance : { ...maintenance, ended };
    this.#maintenance = read;
    this.#now = undefined;
    this.#occurrencesOf = occurrencesByCheck(read);
    this.#transactionOccurrencesOf = occurrencesByTransaction(read);
  }

  get read(): AccountData['maintenance'] {
    return this.#maintenance;
  }

  get transactionOccurrencesOf(): OccurrencesOf {
    return this.#transactionOccurrencesOf;
  }

  get occurrencesOf(): OccurrencesOf {
    return this.#occurrencesOf;
  }

  /** Undefined while nothing is known. */
  at(nowSeconds: number): MaintenanceNow | undefined {
    if (this.#maintenance === undefined) return undefined;
    if (this.#now === undefined || nowSeconds >= this.#now.untilSeconds) {
      this.#now = maintenanceAt(
        this.#maintenance.windows,
        this.#maintenance.occurrences,
        nowSeconds,
      );
    }
    return this.#now;
  }
}

/** Occurrences that were over when their window was deleted, of the last 35 days. */
export function endedMaintenance(
  { windows }: Pick<NonNullable<AccountData['maintenance']>, 'windows'>,
  before: AccountData['maintenance'],
  nowSeconds: number,
): EndedMaintenance[] {
  const listed = new Set(windows.map(({ id }) => id));
  const deleted = new Map(
    before?.windows.filter(({ id }) => !listed.has(id)).map((window) => [window.id, window]),
  );
  const justEnded = (before?.occurrences ?? []).flatMap((occurrence): EndedMaintenance[] => {
    const window = deleted.get(occurrence.maintenanceId);
    if (window === undefined || occurrence.endAtSeconds > nowSeconds) return [];
    const { maintenanceId, startAtSeconds, endAtSeconds } = occurrence;
    const { checkIds, transactionIds } = window;
    return [{ maintenanceId, startAtSeconds, endAtSeconds, checkIds, transactionIds }];
  });
  return [...(before?.ended ?? []), ...justEnded].filter(
    ({ endAtSeconds }) => endAtSeconds > nowSeconds - historySeconds,
  );
}
