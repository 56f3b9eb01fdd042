import type { StateSpan, TalliedState } from '../domain/interval.ts';
import type { StateTally } from './state-tally.ts';

/** What is looked back on. */
export const recentSeconds = 86_400;
/** Of an item that changes its state all the time, the oldest changes are forgotten early. */
const maxChanges = 200;

/** From this moment on, in UNIX seconds, the item was in this state. */
export interface StateChange {
  readonly state: TalliedState;
  readonly fromSeconds: number;
}

/** States whose recent changes are known. Every second from the first change to the horizon is recorded. */
export interface RecentTally {
  readonly states: StateTally;
  /**
   * Oldest first: the state in which the 24 hours before the horizon began, and what came after. Absent for
   * an item that was up since its start, which costs nothing. For another item, nothing is known without it.
   */
  readonly recent?: readonly StateChange[];
}

/** The changes after `recorded`, which begins at the horizon; the same object when there is none. */
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

/** What is known of the states up to the horizon: oldest first, without gaps; empty when nothing is. */
export function recentSpans(tally: RecentTally): StateSpan[] {
  const changes = knownChanges(tally);
  return changes.map(({ state, fromSeconds }, place) => ({
    state,
    fromSeconds,
    toSeconds: changes[place + 1]?.fromSeconds ?? tally.states.horizonSeconds,
  }));
}

/** What is stored may be damaged: nothing changed at the horizon or later. */
function knownChanges({ states, recent }: RecentTally): StateChange[] {
  const { startSeconds, horizonSeconds } = states;
  const start: StateChange = { state: 'up', fromSeconds: startSeconds };
  const changes = recent ?? (isUpSinceStart(states) ? [start] : []);
  return changes.filter(({ fromSeconds }) => fromSeconds < horizonSeconds);
}

function isUpSinceStart({ seconds: { down, unknown, unmonitored } }: StateTally): boolean {
  return down === 0 && unknown === 0 && unmonitored === 0;
}
