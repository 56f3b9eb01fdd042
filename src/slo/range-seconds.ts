import type { TimeRange } from '../domain/interval.ts';
import { union } from '../tally/maintenance-tally.ts';
import { knownSinceSeconds } from './known-range.ts';
import { StateChanges } from './state-changes.ts';
import type { KnownStates } from './state-log.ts';

const minute = 60;
const hour = 3_600;
const day = 24 * hour;

/** The ranges of error ratios, shortest first. Ranges may be added, but none may be removed. */
export const rangeLengths = {
  '5m': 5 * minute,
  '30m': 30 * minute,
  '1h': hour,
  '2h': 2 * hour,
  '6h': 6 * hour,
  '1d': day,
  '3d': 3 * day,
  '7d': 7 * day,
  '30d': 30 * day,
} as const;
export type ErrorRange = keyof typeof rangeLengths;
export const errorRanges = Object.keys(rangeLengths) as readonly ErrorRange[];
export const errorBudgetRange = '30d' satisfies ErrorRange;

/** Seconds up and down outside maintenance. Unknown and unmonitored time is not included. */
export interface CountedSeconds {
  readonly up: number;
  readonly down: number;
}

/** Seconds by range. A range is absent while some of it is awaited, or if it begins before the log. */
export type SecondsByRange = { readonly [R in ErrorRange]?: CountedSeconds };

/** What bounds the ranges of an item, and what is left out of them. */
interface RangeLimits {
  /** A range begins no earlier than this. */
  readonly createdAtSeconds?: number | undefined;
  /** Its maintenance occurrences of at least the last 35 days. */
  readonly occurrences: readonly TimeRange[];
}

/** The facts that the list shows about the tests of an item. */
export interface Testing {
  /** The time between two tests. */
  readonly resolutionSeconds?: number | undefined;
  /** Returns whether the item is being tested; see `isTested` in src/domain/check.ts. */
  readonly isTested: boolean;
}

/**
 * The end of the ranges of an item. Like the service, this counts the state of the last test until
 * the next test is due. If the list shows that the state may have changed, the ranges end at the
 * horizon.
 */
export function rangeEnd(
  { states }: KnownStates,
  { resolutionSeconds = 0, isTested }: Testing,
  nowSeconds: number,
): number {
  const { horizonSeconds, state, reportUntilSeconds = 0 } = states;
  const holds =
    isTested &&
    (state === 'up' || state === 'down') &&
    reportUntilSeconds <= horizonSeconds &&
    (states.resolutionSeconds ?? resolutionSeconds) === resolutionSeconds;
  const due = horizonSeconds + (holds ? resolutionSeconds : 0);
  return Math.max(horizonSeconds, Math.min(nowSeconds, due));
}

/** The seconds of every known range that ends at `endSeconds`. */
export function secondsByRange(
  item: KnownStates,
  { createdAtSeconds = 0, occurrences }: RangeLimits,
  endSeconds: number,
): SecondsByRange {
  const knownFrom = knownSinceSeconds(item);
  const planned = union(occurrences);
  const counted: { [R in ErrorRange]?: CountedSeconds } = {};
  for (const range of errorRanges) {
    const begin = Math.max(createdAtSeconds, endSeconds - rangeLengths[range]);
    if (begin < knownFrom) break;
    counted[range] = countedSeconds(item, planned, { fromSeconds: begin, toSeconds: endSeconds });
  }
  return counted;
}

/** Without a log, an item was always up. */
const alwaysUp = new StateChanges(['up'], [0]);

/**
 * Seconds up and down in a range that ends at or after the horizon, without maintenance. It goes
 * from the newest change back, and makes no spans: a list asks for the ranges of every item.
 */
function countedSeconds(
  { states, log }: KnownStates,
  planned: readonly TimeRange[],
  { fromSeconds: begin, toSeconds: end }: TimeRange,
): CountedSeconds {
  const changes = log?.changes ?? alwaysUp;
  const seconds = { up: 0, down: 0 };
  // The state of the test at the horizon goes on until the end.
  let { state, horizonSeconds: from } = states;
  let to = end;
  for (let place = changes.length - 1; ; place--) {
    if (state === 'up' || state === 'down') {
      seconds[state] += lengthOutside(planned, Math.max(begin, from), to);
    }
    const [earlier, since] = [changes.states[place], changes.times[place]];
    if (from <= begin || earlier === undefined || since === undefined) break;
    to = from;
    state = earlier;
    from = since;
  }
  for (const { fromSeconds, toSeconds, seconds: sum } of log?.hours ?? []) {
    if (toSeconds <= begin) continue;
    // The states of a folded hour are assumed to be spread evenly over it.
    const kept = lengthOutside(planned, Math.max(begin, fromSeconds), toSeconds);
    seconds.up += (sum.up * kept) / (toSeconds - fromSeconds);
    seconds.down += (sum.down * kept) / (toSeconds - fromSeconds);
  }
  return seconds;
}

/** The length of a range without these occurrences, which are in order and do not overlap. */
function lengthOutside(
  occurrences: readonly TimeRange[],
  fromSeconds: number,
  toSeconds: number,
): number {
  if (fromSeconds >= toSeconds) return 0;
  let length = toSeconds - fromSeconds;
  for (const occurrence of occurrences) {
    const from = Math.max(fromSeconds, occurrence.fromSeconds);
    length -= Math.max(0, Math.min(toSeconds, occurrence.toSeconds) - from);
  }
  return length;
}
