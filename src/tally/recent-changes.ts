import type { StateSpan, TalliedState } from '../domain/interval.ts';
import type { StateTally } from './state-tally.ts';

/** Recent changes are kept for this time before the horizon. */
export const recentSeconds = 86_400;
/** If an item changes its state constantly, the oldest changes are removed earlier. */
const maxChanges = 200;

/** From this moment on, in UNIX seconds, the item was in this state. */
export interface StateChange {
  readonly state: TalliedState;
  readonly fromSeconds: number;
}

/** States with known recent changes: every second from the first one to the horizon is recorded. */
export interface RecentTally {
  readonly states: StateTally;
  /**
   * Oldest first: the state at the start of the 24 hours before the horizon, then every change.
   * Absent for an item that was always up since its start. If it is absent for another item, the
   * changes are unknown.
   */
  readonly recent?: readonly StateChange[];
}

/**
 * The recent changes after `recorded` is added, which begins at the horizon. The same array if
 * nothing changed; undefined while the item was always up.
 */
export function changesAfter(
  tally: RecentTally,
  recorded: readonly StateSpan[],
): readonly StateChange[] | undefined {
  const { states, recent } = tally;
  const horizon = recorded.at(-1)?.toSeconds;
  if (horizon === undefined) return recent;
  const wasUp = recent === undefined && isUpSinceStart(states);
  if (wasUp && recorded.every(({ state }) => state === 'up')) return undefined;
  const changes = knownChanges(tally);
  for (const { state, fromSeconds } of recorded) {
    if (changes.at(-1)?.state !== state) changes.push({ state, fromSeconds });
  }
  const kept = changes
    .filter((_, place) => (changes[place + 1]?.fromSeconds ?? horizon) > horizon - recentSeconds)
    .slice(-maxChanges);
  const isSame = kept.length === recent?.length && kept.every((it, place) => it === recent[place]);
  return isSame ? recent : kept;
}

/** The known states up to the horizon, oldest first, without gaps; empty if none are known. */
export function recentSpans(tally: RecentTally): StateSpan[] {
  return spansOf(knownChanges(tally), tally.states.horizonSeconds);
}

/** The spans that the changes describe, oldest first. */
export function spansOf(changes: readonly StateChange[], horizonSeconds: number): StateSpan[] {
  return changes.map(({ state, fromSeconds }, place) => ({
    state,
    fromSeconds,
    toSeconds: changes[place + 1]?.fromSeconds ?? horizonSeconds,
  }));
}

/** Stored changes may be corrupt, so changes at or after the horizon are removed. */
function knownChanges({ states, recent }: RecentTally): StateChange[] {
  const { startSeconds, horizonSeconds } = states;
  const start: StateChange = { state: 'up', fromSeconds: startSeconds };
  const changes = recent ?? (isUpSinceStart(states) ? [start] : []);
  return changes.filter(({ fromSeconds }) => fromSeconds < horizonSeconds);
}

function isUpSinceStart({ seconds: { down, unknown, unmonitored } }: StateTally): boolean {
  return down === 0 && unknown === 0 && unmonitored === 0;
}
