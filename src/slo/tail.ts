import { type Check, lastFailureOf } from '../domain/check.ts';
import type { StateSpan, TalliedState, TimeRange } from '../domain/interval.ts';
import { provenByList } from '../tally/list-evidence.ts';
import { longestLagSeconds } from '../tally/list-times.ts';
import { withTail } from './log-past.ts';
import type { KnownStates, StateLog } from './state-log.ts';

type LastTest = Pick<Check, 'lastTestAtSeconds'>;

/** The tail, if it is to be read again. */
export function dueTail(known: KnownStates, entry: LastTest): TimeRange | undefined {
  const tail = known.log?.tail;
  if (tail === undefined) return undefined;
  return passedSeconds(known, entry) >= tail.askFromSeconds ? tail : undefined;
}

/**
 * Whether every report has the states up to this time. A report that ends with its last test has
 * them only with the test after it.
 */
export function isSettled(known: KnownStates, entry: LastTest, toSeconds: number): boolean {
  return passedSeconds(known, entry) >= settledSeconds(known, toSeconds);
}

export function settledSeconds({ states }: KnownStates, toSeconds: number): number {
  return toSeconds + (states.resolutionSeconds ?? 0) + longestLagSeconds;
}

/** The horizon of a check that is not tested moves on; that of a tested one may wait for a report. */
function passedSeconds({ states }: KnownStates, { lastTestAtSeconds = 0 }: LastTest): number {
  return Math.max(states.horizonSeconds, lastTestAtSeconds);
}

/** The log after a list that proves the states of the tail, or its first part; undefined if none is. */
export function withListedTail({ states, log }: KnownStates, entry: Check): StateLog | undefined {
  if (log?.tail === undefined) return undefined;
  const { tail, changes } = log;
  const place = changes.times.findLastIndex((fromSeconds) => fromSeconds < tail.fromSeconds);
  const proven = provenByListed({ states, log }, entry, changes.states[place], tail);
  const until = proven.at(-1)?.toSeconds;
  if (until === undefined) return undefined;
  if (until >= tail.toSeconds) return withTail({ states, log }, proven);
  const left = { ...tail, fromSeconds: until };
  return withTail(
    { states, log },
    [...proven, { state: 'unknown', fromSeconds: until, toSeconds: tail.toSeconds }],
    left,
  );
}

/**
 * The states after the end of a report that the list proves, by the rules of `settle`, from the
 * beginning of a range on. The state of the last test lasts until the next one is due.
 */
export function provenByListed(
  known: KnownStates,
  check: Check,
  stateBefore: TalliedState | undefined,
  range: TimeRange,
): StateSpan[] {
  const { fromSeconds, toSeconds } = range;
  const { status, lastTestAtSeconds: lastTest = 0, resolutionSeconds = 0 } = check;
  if (stateBefore === undefined || lastTest <= fromSeconds) return [];
  if (status !== 'up' && status !== 'down') return [];
  if (endsUnknown(known, check, range)) return [];
  const tally = {
    startSeconds: fromSeconds,
    horizonSeconds: fromSeconds,
    state: stateBefore,
    isReported: true as const,
  };
  const proven = provenByList(tally, check, lastTest);
  if (proven === undefined) return [];
  const isLasting = lastTest < toSeconds && lastTest + resolutionSeconds > toSeconds;
  const all = isLasting ? [...proven, { state: status, fromSeconds: lastTest, toSeconds }] : proven;
  return all
    .map((span) => ({ ...span, toSeconds: Math.min(span.toSeconds, toSeconds) }))
    .filter((span) => span.fromSeconds < span.toSeconds);
}

/**
 * Whether the state at the end of a range is unknown. A later list does not show that it was, nor
 * since when. Before anything is recorded, a failure may not have been confirmed yet.
 */
function endsUnknown(
  { states, log }: KnownStates,
  check: Check,
  { fromSeconds, toSeconds }: TimeRange,
): boolean {
  if (states.horizonSeconds <= toSeconds) {
    return states.state === 'unknown' && lastFailureOf(check) < fromSeconds;
  }
  return (
    log?.changes.states[log.changes.times.findLastIndex((at) => at <= toSeconds)] === 'unknown'
  );
}
