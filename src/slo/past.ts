import { isTested, type ListedStatus, lastFailureOf, lastTestFailed } from '../domain/check.ts';
import type { TimeRange } from '../domain/interval.ts';
import { StateChanges } from './state-changes.ts';
import { emptyLog, historySeconds, type KnownStates, type StateLog } from './state-log.ts';

/** The fields of an entry about creation, tests and downtime. UNIX seconds. */
export interface ListedPast {
  readonly createdAtSeconds?: number;
  readonly lastTestAtSeconds?: number;
  readonly lastErrorAtSeconds?: number;
  readonly lastDownStartAtSeconds?: number;
  readonly lastDownEndAtSeconds?: number;
  readonly resolutionSeconds?: number;
}

/**
 * The known states of an item before its tally starts; undefined if it was always up. An item
 * without an error in 35 days was up since it was created, except for the time after its last test
 * if it is not being tested. After an error, only an outage report can show the states.
 */
export function logAtFirstSight(
  entry: ListedPast,
  status: ListedStatus,
  startSeconds: number,
): StateLog | undefined {
  const oldest = beginningOf(entry, startSeconds);
  if (lastTestFailed(status) || lastFailureOf(entry) >= oldest) {
    const downSince = status === 'down' ? entry.lastDownStartAtSeconds : undefined;
    return logOfOpenOutage(downSince, { fromSeconds: oldest, toSeconds: startSeconds });
  }
  if (isTested(status)) return undefined;
  // No list has since when the state is unknown, and the last test may be one without an outcome.
  if (status === 'unknown' && entry.lastTestAtSeconds !== undefined) {
    return emptyLog(startSeconds);
  }
  return logUntilLastTest(entry, startSeconds);
}

/** Before first sight, only an open outage's start is known, if the service reports it. */
function logOfOpenOutage(
  sinceSeconds: number | undefined,
  { fromSeconds, toSeconds }: TimeRange,
): StateLog {
  if (sinceSeconds === undefined || sinceSeconds >= toSeconds) return emptyLog(toSeconds);
  return {
    ...emptyLog(sinceSeconds <= fromSeconds ? fromSeconds : toSeconds),
    changes: new StateChanges(['down'], [sinceSeconds]),
  };
}

/** The time before first sight that an outage report must still show; undefined if it is known. */
export function missingPast(
  { states, log }: KnownStates,
  entry: Pick<ListedPast, 'createdAtSeconds'>,
): TimeRange | undefined {
  if (log === undefined) return undefined;
  const fromSeconds = beginningOf(entry, states.horizonSeconds);
  const { knownFromSeconds, hours, changes } = log;
  const first = hours.length === 0 ? changes.at(0)?.fromSeconds : undefined;
  const toSeconds = Math.min(knownFromSeconds, states.horizonSeconds, first ?? knownFromSeconds);
  return fromSeconds < toSeconds ? { fromSeconds, toSeconds } : undefined;
}

function beginningOf({ createdAtSeconds = 0 }: ListedPast, nowSeconds: number): number {
  return Math.max(createdAtSeconds, nowSeconds - historySeconds);
}

/** The state of a paused check's last test lasts until the next test would have been due. */
function logUntilLastTest(entry: ListedPast, startSeconds: number): StateLog {
  const oldest = beginningOf(entry, startSeconds);
  const { lastTestAtSeconds, resolutionSeconds = 0 } = entry;
  const until = Math.min((lastTestAtSeconds ?? 0) + resolutionSeconds, startSeconds);
  const changes = [
    { state: 'up' as const, fromSeconds: oldest },
    { state: 'unmonitored' as const, fromSeconds: Math.max(oldest, until) },
  ];
  const inOrder = until <= oldest ? changes.slice(1) : changes;
  return {
    ...emptyLog(Math.min(oldest, startSeconds)),
    changes: StateChanges.of(inOrder.filter(({ fromSeconds }) => fromSeconds < startSeconds)),
  };
}
