import type { StateSpan, TalliedState, TimeRange } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';
import type { StateTally } from '../tally/state-tally.ts';

/** States are stored for this time: the longest range, plus a margin for data that arrive late. */
export const historySeconds = 35 * 86_400;
/** With more changes, the oldest are folded into sums by the hour. */
export const maxChanges = 4_000;
const hourSeconds = 3_600;

/** From this moment on, in UNIX seconds, the item was in this state. */
export interface StateChange {
  readonly state: TalliedState;
  readonly fromSeconds: number;
}

/** Seconds by state within at most one hour. */
export interface HourSum extends TimeRange {
  readonly seconds: SecondsByState;
}

/**
 * The states of one check or transaction over the last 35 days, as changes. The last state lasts
 * until the tally's horizon. `hours` are older than `changes`, and there is no gap between them.
 */
export interface StateHistory {
  /** Every second from here to the horizon is known; before it, at most an outage's start. */
  readonly knownFromSeconds: number;
  readonly hours: readonly HourSum[];
  /** Oldest first. Consecutive changes have different states. */
  readonly changes: readonly StateChange[];
  /**
   * The time before first sight that the report of the past did not reach, because it lagged. Its
   * states are those that the list proves, or unknown, until the report is read again.
   */
  readonly tail?: TimeRange;
}

/** The states of an item, with their history. */
export interface KnownStates {
  readonly states: StateTally;
  /** Absent for an item that was up since it was created, or for 35 days. */
  readonly history?: StateHistory;
}

/** Nothing before the horizon is known, so an outage report is needed. */
export const unknownHistory: StateHistory = {
  knownFromSeconds: Number.MAX_SAFE_INTEGER,
  hours: [],
  changes: [],
};

/** Appends counted spans, which begin at the horizon. The same object without a change. */
export function historyAfter(
  { states, history }: KnownStates,
  recorded: readonly StateSpan[],
): StateHistory | undefined {
  const [first, last] = [recorded[0], recorded.at(-1)];
  if (first === undefined || last === undefined) return history;
  if (history === undefined && recorded.every(({ state }) => state === 'up')) return undefined;
  const before = history ?? upUntil(states.horizonSeconds);
  const { knownFromSeconds, hours, changes } = before;
  const fresh: StateChange[] = [];
  let state = changes.at(-1)?.state;
  for (const span of recorded) {
    if (span.state === state) continue;
    fresh.push({ state: span.state, fromSeconds: span.fromSeconds });
    state = span.state;
  }
  const oldest = last.toSeconds - historySeconds;
  const outlived = hours[0] === undefined ? changes[1]?.fromSeconds : hours[0].toSeconds;
  const nothingOutlived = outlived === undefined || outlived > oldest;
  if (history !== undefined && fresh.length === 0 && nothingOutlived) return history;
  const knownFrom = Math.min(knownFromSeconds, first.fromSeconds);
  const all = fresh.length === 0 ? changes : [...changes, ...fresh];
  return bounded({ ...before, knownFromSeconds: knownFrom, changes: all }, oldest);
}

/** Prepends the states of the time before the history. They end where the history begins. */
export function withPast(
  history: StateHistory,
  past: readonly StateSpan[],
  horizonSeconds: number,
): StateHistory {
  const [oldestSpan, last] = [past[0], past.at(-1)];
  if (oldestSpan === undefined || last === undefined) return history;
  const oldest = horizonSeconds - historySeconds;
  const older: StateChange[] = [];
  for (const { state, fromSeconds } of past) {
    if (older.at(-1)?.state !== state) older.push({ state, fromSeconds });
  }
  if (history.hours.length > 0) {
    const hours = [...folded(older, last.toSeconds), ...history.hours];
    return bounded({ ...history, knownFromSeconds: oldestSpan.fromSeconds, hours }, oldest);
  }
  const [next, ...rest] = history.changes;
  // The start of an open outage that was already known is inside the spans that were read.
  const first = next && { ...next, fromSeconds: Math.max(next.fromSeconds, last.toSeconds) };
  const isSame = first === undefined || first.state === older.at(-1)?.state;
  const changes = isSame ? [...older, ...rest] : [...older, first, ...rest];
  return bounded({ knownFromSeconds: oldestSpan.fromSeconds, hours: [], changes }, oldest);
}

/** Replaces the tail by its states, which fill it. Folded hours keep what they have. */
export function withTail(
  { tail, ...history }: StateHistory,
  spans: readonly StateSpan[],
): StateHistory {
  const { changes } = history;
  if (tail === undefined || (changes[0]?.fromSeconds ?? tail.toSeconds) > tail.fromSeconds) {
    return history;
  }
  const { fromSeconds, toSeconds } = tail;
  const next = changes.findLast((change) => change.fromSeconds <= toSeconds);
  const all = [
    ...changes.filter((change) => change.fromSeconds < fromSeconds),
    ...spans.map((span) => ({ state: span.state, fromSeconds: span.fromSeconds })),
    ...(next === undefined ? [] : [{ ...next, fromSeconds: toSeconds }]),
    ...changes.filter((change) => change.fromSeconds > toSeconds),
  ];
  const isChange = (change: StateChange, place: number) => change.state !== all[place - 1]?.state;
  return { ...history, changes: all.filter(isChange) };
}

/** The spans that the changes describe, oldest first. */
export function spansOf(changes: readonly StateChange[], horizonSeconds: number): StateSpan[] {
  return changes.map(({ state, fromSeconds }, place) => ({
    state,
    fromSeconds,
    toSeconds: changes[place + 1]?.fromSeconds ?? horizonSeconds,
  }));
}

/** The states of an item from `startSeconds` to the horizon, oldest first, without folded hours. */
export function spansSince({ states, history }: KnownStates, startSeconds: number): StateSpan[] {
  const changes = history?.changes ?? [{ state: 'up' as const, fromSeconds: startSeconds }];
  return spansOf(changes, states.horizonSeconds)
    .filter(({ toSeconds }) => toSeconds > startSeconds)
    .map((span) => ({ ...span, fromSeconds: Math.max(span.fromSeconds, startSeconds) }));
}

/**
 * Returns whether the state began with this change. If the change is where the known states or the
 * unfolded states begin, or at the end of a tail, the state may have begun earlier.
 */
export function isBeginning(
  { knownFromSeconds, hours, changes, tail }: StateHistory,
  fromSeconds: number,
): boolean {
  if (fromSeconds === knownFromSeconds || fromSeconds === tail?.toSeconds) return false;
  return hours.length === 0 || fromSeconds !== changes[0]?.fromSeconds;
}

/** The start of the outage open at the horizon; undefined if none is open or shown. */
export function openSince({ states, history }: KnownStates): number | undefined {
  if (!states.inOutage) return undefined;
  if (states.outageSinceSeconds !== undefined) return states.outageSinceSeconds;
  const last = history?.changes.at(-1);
  if (history === undefined || last?.state !== 'down') return undefined;
  return isBeginning(history, last.fromSeconds) ? last.fromSeconds : undefined;
}

function upUntil(horizonSeconds: number): StateHistory {
  const fromSeconds = horizonSeconds - historySeconds;
  return { knownFromSeconds: fromSeconds, hours: [], changes: [{ state: 'up', fromSeconds }] };
}

function bounded(history: StateHistory, oldestSeconds: number): StateHistory {
  let { hours, changes } = history;
  const excess = changes[changes.length - maxChanges];
  if (changes.length > maxChanges && excess !== undefined) {
    const cut = Math.ceil(excess.fromSeconds / hourSeconds) * hourSeconds;
    const kept = changes.findLastIndex(({ fromSeconds }) => fromSeconds <= cut);
    const state = changes[kept]?.state ?? excess.state;
    hours = [...hours, ...folded(changes.slice(0, kept + 1), cut)];
    changes = [{ state, fromSeconds: cut }, ...changes.slice(kept + 1)];
  }
  hours = hours.filter(({ toSeconds }) => toSeconds > oldestSeconds);
  const first = changes.findIndex(
    (_, place) => (changes[place + 1]?.fromSeconds ?? Number.POSITIVE_INFINITY) > oldestSeconds,
  );
  if (first > 0) changes = changes.slice(first);
  const begin = hours[0]?.fromSeconds ?? changes[0]?.fromSeconds ?? history.knownFromSeconds;
  return {
    ...history,
    knownFromSeconds: Math.max(history.knownFromSeconds, begin),
    hours,
    changes,
  };
}

/** Folds changes into sums by hour of UNIX time. */
function folded(changes: readonly StateChange[], untilSeconds: number): HourSum[] {
  const sums: { fromSeconds: number; toSeconds: number; seconds: Seconds }[] = [];
  for (const { state, fromSeconds, toSeconds } of spansOf(changes, untilSeconds)) {
    let from = fromSeconds;
    while (from < toSeconds) {
      const hourEnd = (Math.floor(from / hourSeconds) + 1) * hourSeconds;
      const to = Math.min(hourEnd, toSeconds);
      const sum = sums.at(-1);
      if (sum !== undefined && sum.toSeconds > hourEnd - hourSeconds) {
        sum.toSeconds = to;
        sum.seconds[state] += to - from;
      } else {
        const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
        seconds[state] = to - from;
        sums.push({ fromSeconds: from, toSeconds: to, seconds });
      }
      from = to;
    }
  }
  return sums;
}

type Seconds = { [S in TalliedState]: number };
