import {
  type Check,
  checkMeasurements,
  isTested,
  lastFailureOf,
  lastTestFailed,
} from '../domain/check.ts';
import { pick } from '../lib/present.ts';

/** When a list was read, by the exporter's estimate of the service's clock (`ServiceClock`). */
export interface RequestTimes {
  /** UNIX time before the first of the list's requests, whose responses may be slow. */
  readonly requestedAtSeconds: number;
  /** UNIX time at which the list was complete. */
  readonly receivedAtSeconds: number;
  /** Seconds since the previous list was complete; absent for the first list after a start. */
  readonly elapsedSeconds?: number;
  /** Seconds since a list was read, also before a start; absent without one. */
  readonly unlistedSeconds?: number | undefined;
  /** The planned time between two lists. */
  readonly intervalSeconds?: number | undefined;
}

/** One reading of the check list. */
export interface ListTimes extends Omit<RequestTimes, 'requestedAtSeconds'> {
  /**
   * A UNIX time that the service's clock had certainly reached when the service made the list. Time
   * without tests is recorded up to here, so neither a wrong estimate of that clock nor a slow
   * response may put it into the future.
   */
  readonly passedSeconds: number;
}

/** If a test is further ahead of the estimated service clock, one is wrong: the tally waits. */
export const clockToleranceSeconds = 300;

/**
 * No list or report of the service is older than this, in seconds: 30 minutes, plus time for the
 * response. An event before that time which neither shows did not happen.
 */
export const longestLagSeconds = 2_100;

/**
 * A test may come so much less than one resolution after the one before it: the documents do not say
 * how exactly the time between tests is kept.
 */
export const testJitterSeconds = 15;

/**
 * The newest test proves how far the service's clock has advanced. If nothing is being tested, the
 * time of the request is used, minus the longest lag, because the list may be older.
 */
export function listTimesOf(
  checks: Iterable<Check>,
  { requestedAtSeconds, ...times }: RequestTimes,
): ListTimes {
  const newestTest = newestTestOf(checks, times.receivedAtSeconds);
  return {
    ...times,
    passedSeconds: Math.min(
      requestedAtSeconds,
      newestTest ?? requestedAtSeconds - longestLagSeconds,
    ),
  };
}

/** The newest test of tested checks. Others may be untested for weeks. */
export function newestTestOf(
  checks: Iterable<Check>,
  receivedAtSeconds: number,
): number | undefined {
  let newest: number | undefined;
  for (const { status, lastTestAtSeconds } of checks) {
    if (!isTested(status) || lastTestAtSeconds === undefined) continue;
    if (isAhead(lastTestAtSeconds, receivedAtSeconds)) continue;
    newest = Math.max(newest ?? lastTestAtSeconds, lastTestAtSeconds);
  }
  return newest;
}

/** A pause that begins and ends in a shorter absence than this, in seconds, is not looked for. */
const shortestAbsenceSeconds = 600;
/** Nor is one in an absence of fewer resolutions, or fewer planned lists. */
const fewestTests = 3;
const fewestLists = 2;

/** A pause in a time without lists that is not longer than this, in seconds, is not looked for. */
export function longestUnseen(
  { resolutionSeconds = 0 }: Check,
  { intervalSeconds = 0 }: ListTimes,
): number {
  return Math.max(
    shortestAbsenceSeconds,
    fewestTests * resolutionSeconds,
    fewestLists * intervalSeconds,
  );
}

/** Whether no list was read for some time before this one. */
export function isAfterAbsence(check: Check, listTimes: ListTimes): boolean {
  return (listTimes.unlistedSeconds ?? 0) > longestUnseen(check, listTimes);
}

/**
 * Whether a pause may have begun and ended since the horizon, unseen: no list was read, and tests
 * would have been missed.
 */
export function mayHidePause(check: Check, horizonSeconds: number, listTimes: ListTimes): boolean {
  const { unlistedSeconds = 0 } = listTimes;
  const untestedSeconds = (check.lastTestAtSeconds ?? 0) - horizonSeconds;
  return Math.min(unlistedSeconds, untestedSeconds) > longestUnseen(check, listTimes);
}

export function isAhead(atSeconds: number, receivedAtSeconds: number): boolean {
  return atSeconds > receivedAtSeconds + clockToleranceSeconds;
}

/**
 * The listed entry. If the list is older than the known entry, the known status and measurements
 * are kept, so that nothing shown is taken back. A known test that is ahead of the clock is an
 * error and is always replaced. The list may lack the resolution, the creation and the last test.
 */
export function newestOf(
  known: Check | undefined,
  listed: Check,
  receivedAtSeconds: number,
): Check {
  const { lastTestAtSeconds: at, resolutionSeconds, createdAtSeconds, status } = listed;
  const before = known?.lastTestAtSeconds;
  if (known === undefined || isAhead(before ?? 0, receivedAtSeconds)) return listed;
  const entry =
    resolutionSeconds === undefined || createdAtSeconds === undefined
      ? { ...pick(known, ['resolutionSeconds', 'createdAtSeconds']), ...listed }
      : listed;
  if (before === undefined) return entry;
  if (at === undefined) {
    // An outcome without its time is not that of the known test.
    return isTested(status) ? entry : { ...entry, lastTestAtSeconds: before };
  }
  if (at > before || (at === before && !isEarlierOfTest(known, listed))) return entry;
  return { ...entry, ...pick(known, ['status', ...checkMeasurements]) };
}

/** Whether the list has the last test of the known entry, but not its outcome or what came after. */
function isEarlierOfTest(known: Check, listed: Check): boolean {
  const [knownFailure, failure] = [lastFailureOf(known), lastFailureOf(listed)];
  if (failure !== knownFailure) return failure < knownFailure;
  if (known.status === 'paused') return isTested(listed.status);
  // A check that is resumed is unknown until its next test.
  return known.status === 'unknown' && lastTestFailed(listed.status);
}
