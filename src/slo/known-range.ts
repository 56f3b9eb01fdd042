import type { TimeRange } from '../domain/interval.ts';
import { present } from '../lib/present.ts';
import { clip, subtract, union } from '../tally/maintenance-tally.ts';
import { missingPast } from './past.ts';
import { firstSightOf, historySeconds, type KnownStates, type StateLog } from './state-log.ts';

/** The seconds of a range whose state is not known; both in order and without overlaps. */
export interface UnknownParts {
  /** It becomes known by itself: the past that is being read, and the time just before first sight. */
  readonly awaited: readonly TimeRange[];
  /** It stays unknown unless an operator has it read. */
  readonly unwatched: readonly TimeRange[];
}

interface RangeItem {
  readonly createdAtSeconds?: number | undefined;
  /** The past of the item is being read: its dataset is on, and the item is still listed. */
  readonly isPastRead: boolean;
  /** Of a paused check: from here on it was not tested, where nothing else is known. */
  readonly notTestedFromSeconds?: number | undefined;
}

const nothing: UnknownParts = { awaited: [], unwatched: [] };

/**
 * The parts of a range that are not known. The range lies within the life of the item, and ends by
 * the horizon plus one resolution: what follows is not known yet, and withholds nothing.
 */
export function unknownParts(
  known: KnownStates,
  { createdAtSeconds, isPastRead, notTestedFromSeconds = Number.POSITIVE_INFINITY }: RangeItem,
  range: TimeRange,
): UnknownParts {
  const { log } = known;
  const { fromSeconds, toSeconds } = range;
  const recordedFrom = recordedFromSeconds(known, createdAtSeconds);
  if (fromSeconds >= recordedFrom && log?.tail === undefined && log?.givenUp === undefined) {
    return nothing;
  }
  const past = isPastRead ? missingPast(known, present({ createdAtSeconds })) : undefined;
  const { tail, givenUp = [] } = log ?? {};
  const within = (parts: readonly (TimeRange | undefined)[]) =>
    clip(
      union(parts.filter((part) => part !== undefined)),
      fromSeconds,
      Math.min(toSeconds, notTestedFromSeconds),
    );
  const awaited = within([past, isPastRead ? tail : undefined]);
  const before = { fromSeconds: Number.NEGATIVE_INFINITY, toSeconds: recordedFrom };
  return { awaited, unwatched: subtract(within([before, tail, ...givenUp]), awaited) };
}

/**
 * The beginning of the recorded states. An item without a log had no error for 35 days before it was
 * first seen, so it was up since its creation. If that is not known, it may be new.
 */
export function recordedFromSeconds(
  known: KnownStates,
  createdAtSeconds: number | undefined,
): number {
  const { log } = known;
  if (log === undefined) {
    const seenSeconds = firstSightOf(known);
    if (createdAtSeconds === undefined) return seenSeconds;
    return Math.max(createdAtSeconds, seenSeconds - historySeconds);
  }
  return recordedFrom(log);
}

/**
 * Since when every second is known, apart from what was given up: a figure of a range that begins
 * earlier is not known yet. Without a log, an item was always up.
 */
export function knownSinceSeconds({ log }: KnownStates): number {
  if (log === undefined) return Number.NEGATIVE_INFINITY;
  return Math.max(recordedFrom(log), log.tail?.toSeconds ?? Number.NEGATIVE_INFINITY);
}

/** The start of an open outage can be known before anything else is. */
function recordedFrom({ knownFromSeconds, hours, changes }: StateLog): number {
  if (hours.length > 0) return knownFromSeconds;
  return Math.min(knownFromSeconds, changes.times[0] ?? knownFromSeconds);
}
