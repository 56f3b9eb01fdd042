import type { StateSpan, TimeRange } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';
import { noSeconds, type StateTally } from '../tally/state-tally.ts';
import { StateChanges } from './state-changes.ts';

/** States are stored for this time: the longest range, plus a margin for data that arrive late. */
export const historySeconds = 35 * 86_400;
/** States of months without a record are stored for at most this time: 13 months. */
const longestKeptSeconds = 400 * 86_400;
/** Time that was given up is known so long after its states are removed, to be read for its months. */
export const givenUpKeptSeconds = longestKeptSeconds - historySeconds;

/** Seconds by state within at most one hour. */
export interface HourSum extends TimeRange {
  readonly seconds: SecondsByState;
}

/**
 * The recorded states of one check or transaction. Its counters, its open outage and its ranges are
 * computed from them. The last state lasts until the tally's horizon, so a log changes only when a
 * state does.
 */
export interface StateLog {
  /** Every second from here to the horizon was read; before it, at most an outage's start. */
  readonly knownFromSeconds: number;
  /** Older than `changes`, with no gap between them. */
  readonly hours: readonly HourSum[];
  /**
   * Oldest first. Consecutive changes have different states, except where one outage ended and
   * another began at the same test.
   */
  readonly changes: StateChanges;
  /** By state, from the tally's start to the last change, also of states that were removed. */
  readonly seconds: SecondsByState;
  /** The number of outages that began after the tally's start. */
  readonly outages: number;
  /** The duration of the last ended outage whose start is known. */
  readonly lastOutageSeconds?: number;
  readonly tail?: Tail;
  /**
   * Not watched: reports of this time could not be read for a day. The states and counters have it
   * as unmonitored or unknown. Oldest first, without overlaps. It is kept for 13 months, so that an
   * operator can have it read for months that are sealed.
   */
  readonly givenUp?: readonly TimeRange[];
}

/**
 * The time before first sight that the report of the past did not reach, because it lagged. Its
 * states are those that the list proves, or unknown, until the report is read again.
 */
export interface Tail extends TimeRange {
  /** The list shows that an outage began at the end. Without it, that state may be older. */
  readonly isEndListed?: true;
  /** It is read again when the service has tested the item at this time. */
  readonly askFromSeconds: number;
}

/** The counted time of an item, and its states. */
export interface KnownStates {
  readonly states: StateTally;
  /** Absent for an item that was up since it was created, or for 35 days. */
  readonly log?: StateLog;
  /** When it was first seen, if its counters have begun again since then. UNIX seconds. */
  readonly firstSightSeconds?: number;
  /** Months that ended by then (UNIX seconds) have their records, and need no states. */
  readonly sealedUntilSeconds?: number;
}

/** When the item was first seen (UNIX seconds), whenever its counters began. */
export function firstSightOf({ states, firstSightSeconds }: KnownStates): number {
  return firstSightSeconds ?? states.startSeconds;
}

/**
 * Older states are removed (UNIX seconds). They are stored for 35 days before the horizon, and from
 * the begin of the oldest month that has no record, at most 13 months.
 */
export function keptFromSeconds(
  { sealedUntilSeconds = Number.NEGATIVE_INFINITY }: Pick<KnownStates, 'sealedUntilSeconds'>,
  horizonSeconds: number,
): number {
  return Math.min(
    horizonSeconds - historySeconds,
    Math.max(sealedUntilSeconds, horizonSeconds - longestKeptSeconds),
  );
}

/** A log without states: nothing before `knownFromSeconds` is known. */
export function emptyLog(knownFromSeconds: number): StateLog {
  return {
    knownFromSeconds,
    hours: [],
    changes: StateChanges.none,
    seconds: noSeconds,
    outages: 0,
  };
}

type Counters = Pick<StateLog, 'seconds' | 'outages' | 'lastOutageSeconds'>;

/** The counters at the horizon. The seconds are those since the start, and never decrease. */
export function countersOf({ states, log }: KnownStates): Counters {
  const { startSeconds, horizonSeconds } = states;
  const last = log?.changes.at(-1);
  // Each by its name: a list changes the counters of all items, and a spread takes ten times as long.
  const { up, down, unknown, unmonitored } = log?.seconds ?? noSeconds;
  const seconds = { up, down, unknown, unmonitored };
  const fromSeconds = Math.max(startSeconds, last?.fromSeconds ?? startSeconds);
  seconds[last?.state ?? 'up'] += Math.max(0, horizonSeconds - fromSeconds);
  const lastOutageSeconds = log?.lastOutageSeconds;
  const outages = log?.outages ?? 0;
  return lastOutageSeconds === undefined
    ? { seconds, outages }
    : { seconds, outages, lastOutageSeconds };
}

/**
 * The counters begin again at 0 and count from `nowSeconds` on, or from the horizon if the clock is
 * behind it. The states stay.
 */
export function countedFrom<T extends KnownStates>(known: T, nowSeconds: number): T {
  const { states, log } = known;
  const startSeconds = Math.max(nowSeconds, states.horizonSeconds);
  return {
    ...known,
    firstSightSeconds: firstSightOf(known),
    states: { ...states, startSeconds },
    ...(log !== undefined && { log: { ...log, seconds: noSeconds, outages: 0 } }),
  };
}

/** The part of a span after a time, or nothing. */
export function spanAfter(atSeconds: number, span: StateSpan): readonly StateSpan[] {
  if (span.toSeconds <= atSeconds) return [];
  return [{ ...span, fromSeconds: Math.max(span.fromSeconds, atSeconds) }];
}

/**
 * The outage that is open at the horizon, with its start if that is known: the item was down until
 * then, and its test then was not good. Before anything is recorded, the state of that test decides.
 */
export function openOutage({
  states,
  log,
}: KnownStates): { readonly sinceSeconds?: number } | undefined {
  if (log === undefined || states.state === 'up') return undefined;
  const last = log.changes.at(-1);
  const decisive = isFirstTest(states) ? states : (last ?? states);
  if (decisive.state !== 'down') return undefined;
  const sinceSeconds = last?.state === 'down' ? last.fromSeconds : states.horizonSeconds;
  return isBeginning(log, sinceSeconds) ? { sinceSeconds } : {};
}

/** Whether nothing is recorded since first sight: the log, if it has states, has those before it. */
export function isFirstTest({ startSeconds, horizonSeconds }: StateTally): boolean {
  return horizonSeconds === startSeconds;
}

/**
 * Returns whether the state began with this change. If the change is where the known states or the
 * unfolded states begin, or at the end of a tail, the state may have begun earlier.
 */
export function isBeginning(
  { knownFromSeconds, hours, changes, tail }: StateLog,
  fromSeconds: number,
): boolean {
  if (fromSeconds === knownFromSeconds) return false;
  if (fromSeconds === tail?.toSeconds && !tail.isEndListed) return false;
  return hours.length === 0 || fromSeconds !== changes.at(0)?.fromSeconds;
}

/** The spans that the changes describe, oldest first. */
export function spansOf({ states, times }: StateChanges, horizonSeconds: number): StateSpan[] {
  return states.map((state, place) => ({
    state,
    fromSeconds: times[place] ?? horizonSeconds,
    toSeconds: times[place + 1] ?? horizonSeconds,
  }));
}

/** The states of an item from `startSeconds` to the horizon, oldest first, without folded hours. */
export function spansSince(known: KnownStates, startSeconds: number): StateSpan[] {
  const spans = spansOf(changesOf(known, startSeconds), known.states.horizonSeconds);
  return spans.flatMap((span) => spanAfter(startSeconds, span));
}

/**
 * The states of an item up to `endSeconds`, oldest first, without folded hours. The state of the
 * test at the horizon goes on until then. Without a log, the item was up from `startSeconds` on.
 */
export function spansUntil(
  known: KnownStates,
  endSeconds: number,
  startSeconds: number,
): StateSpan[] {
  const { horizonSeconds, state } = known.states;
  const spans = spansOf(changesOf(known, startSeconds), horizonSeconds);
  return [...spans, { state, fromSeconds: horizonSeconds, toSeconds: endSeconds }];
}

/** Without a log, the item was up from `startSeconds` on. */
function changesOf({ log }: KnownStates, startSeconds: number): StateChanges {
  return log?.changes ?? new StateChanges(['up'], [startSeconds]);
}
