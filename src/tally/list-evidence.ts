import type { Check } from '../domain/check.ts';
import type { StateSpan } from '../domain/interval.ts';
import type { StateTally } from './state-tally.ts';

/**
 * Two tests that are at most this many resolutions apart are consecutive. At a resolution of a minute
 * a test may be 13 seconds late, and another probe may repeat a first failed one 20 seconds later:
 * consecutive tests are up to 73 seconds apart, and others at least 87.
 */
export const neighbouringTests = 4 / 3;

/**
 * The last test whose outcome the list shows. While a check is down, its last test is its last error;
 * a test just after that one is listed before its outcome, which the API does not exclude.
 */
export function shownTest(check: Check): number | undefined {
  const { status, lastTestAtSeconds: tested, lastErrorAtSeconds: failed } = check;
  if (status !== 'down' || tested === undefined || failed === undefined) return tested;
  return failed < tested && areNeighbours(check, failed, tested) ? failed : tested;
}

/**
 * The states from the tally's horizon to the check's last test, if the list proves them; undefined
 * if an outage report is needed. Both ends are times of tests that a list has shown.
 */
export function provenByList(
  tally: StateTally,
  check: Check,
  lastTest: number,
): StateSpan[] | undefined {
  const horizon = tally.horizonSeconds;
  if (check.status === 'up' && tally.state === 'up' && !failedSince(check, horizon)) {
    return [{ state: 'up', fromSeconds: horizon, toSeconds: lastTest }];
  }
  if (isOneOutage(tally, check, lastTest)) {
    return [{ state: 'down', fromSeconds: horizon, toSeconds: lastTest }];
  }
  const end = shownEnd(tally, check, lastTest);
  if (end !== undefined) {
    return [
      { state: 'down' as const, fromSeconds: horizon, toSeconds: end },
      { state: 'up' as const, fromSeconds: end, toSeconds: lastTest },
    ].filter(({ fromSeconds, toSeconds }) => fromSeconds < toSeconds);
  }
  const start = check.lastDownStartAtSeconds;
  if (start !== undefined && isNextOutage(tally, check, start, lastTest)) {
    return [
      { state: 'up' as const, fromSeconds: horizon, toSeconds: start },
      { state: 'down' as const, fromSeconds: start, toSeconds: lastTest },
    ].filter(({ fromSeconds, toSeconds }) => fromSeconds < toSeconds);
  }
  return undefined;
}

/**
 * When the outage that is open at the horizon ended: a list has shown the test that ended it as
 * good, it is the next one after the last failure, and nothing has failed since.
 */
function shownEnd(tally: StateTally, check: Check, lastTest: number): number | undefined {
  const { state, horizonSeconds, facts = [] } = tally;
  const { status, lastDownStartAtSeconds: start, lastDownEndAtSeconds: end } = check;
  if (status !== 'up' || state !== 'down' || start === undefined || end === undefined) {
    return undefined;
  }
  const { lastErrorAtSeconds: lastFailed = Number.NEGATIVE_INFINITY } = check;
  const isOne = start <= horizonSeconds && horizonSeconds <= end && end <= lastTest;
  const isNext = lastFailed < end && areNeighbours(check, lastFailed, end);
  const isShown = facts.some(({ kind, fromSeconds }) => kind === 'ended' && fromSeconds === end);
  return isOne && isNext && isShown ? end : undefined;
}

/** Whether the last test is at this time, and ended the last outage. */
export function lastOutageEndedAt(check: Check, testSeconds: number): boolean {
  const { status, lastTestAtSeconds, lastDownEndAtSeconds, lastErrorAtSeconds = 0 } = check;
  return (
    status === 'up' &&
    lastTestAtSeconds === testSeconds &&
    lastDownEndAtSeconds === testSeconds &&
    lastErrorAtSeconds < testSeconds
  );
}

/** Includes a failure of the test at the horizon, whose outcome may have been listed late. */
function failedSince(check: Check, horizon: number): boolean {
  const { lastErrorAtSeconds = 0, lastDownStartAtSeconds = 0 } = check;
  return lastErrorAtSeconds >= horizon || lastDownStartAtSeconds >= horizon;
}

/** The outage that is open at the horizon lasted until the last test. */
function isOneOutage(tally: StateTally, check: Check, lastTest: number): boolean {
  if (tally.state !== 'down') return false;
  const start = check.lastDownStartAtSeconds;
  if (start !== undefined) {
    if (start > tally.horizonSeconds) return false;
    // A report may end where the outage ended, and not with a failed test.
    const failedSeconds = tally.isReported ? start : tally.horizonSeconds;
    return lastsUntil(check, failedSeconds, lastTest);
  }
  const isOpen = check.status === 'down' && !tally.isReported;
  return isOpen && areNeighbours(check, tally.horizonSeconds, lastTest);
}

/** An outage lasted from the test at the horizon, or the next one, to the last; no other fits. */
function isNextOutage(tally: StateTally, check: Check, start: number, lastTest: number): boolean {
  return (
    tally.state === 'up' &&
    start >= tally.horizonSeconds &&
    start <= lastTest &&
    areNeighbours(check, tally.horizonSeconds, start) &&
    lastsUntil(check, start, lastTest)
  );
}

/**
 * The last outage goes on, or the last test ended it. That test must be the next one after a test in
 * the outage: the listed end is the first successful test, even if tests were missed before it.
 */
function lastsUntil(check: Check, failedSeconds: number, lastTest: number): boolean {
  const { status, lastDownEndAtSeconds } = check;
  if (status === 'down') return true;
  const isEnd = status === 'up' && lastDownEndAtSeconds === lastTest;
  return isEnd && areNeighbours(check, failedSeconds, lastTest);
}

function areNeighbours({ resolutionSeconds }: Check, earlier: number, later: number): boolean {
  return (
    resolutionSeconds !== undefined && later - earlier <= neighbouringTests * resolutionSeconds
  );
}
