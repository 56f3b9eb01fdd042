import { type Check, checkMeasurements, isTested } from '../domain/check.ts';
import { pick } from '../lib/present.ts';

/** When a list was read, by the exporter's clock. */
export interface RequestTimes {
  /** UNIX time before anything was asked: an answer may take its time, and several requests. */
  readonly askedAtSeconds: number;
  /** UNIX time when the list was there. */
  readonly answeredAtSeconds: number;
  /** Seconds since the list before was there; absent after a start, when nobody knows what lies between. */
  readonly elapsedSeconds?: number;
}

/** One reading of the check list. */
export interface ListTimes extends Omit<RequestTimes, 'askedAtSeconds'> {
  /**
   * UNIX time by the service's clock that had passed when it made the list. Time in which nothing is
   * tested is recorded up to here, so neither a wrong clock of the exporter nor a slow answer must put it into the future.
   */
  readonly passedSeconds: number;
}

/** A test this far ahead of the exporter's clock is a mistake of one of the two; the tallies wait. */
export const clockToleranceSeconds = 300;

/**
 * No list and no report of the service is older than this, in seconds: 30 minutes, and room for the answer. What
 * neither shows of the time before has not happened.
 */
export const longestLagSeconds = 2_100;

/**
 * The service's clock shows only in its tests: the newest one has happened. With nothing tested, the exporter's clock has to
 * do, and the list may be older than it.
 */
export function listTimesOf(
  checks: Iterable<Check>,
  { askedAtSeconds, ...times }: RequestTimes,
): ListTimes {
  const newestTest = newestTestOf(checks, times.answeredAtSeconds);
  return {
    ...times,
    passedSeconds: Math.min(askedAtSeconds, newestTest ?? askedAtSeconds - longestLagSeconds),
  };
}

/** When something was tested last, among the checks that are being tested: paused and unknown ones may not have been for weeks. */
export function newestTestOf(
  checks: Iterable<Check>,
  answeredAtSeconds: number,
): number | undefined {
  let newest: number | undefined;
  for (const { status, lastTestAtSeconds } of checks) {
    if (!isTested(status) || lastTestAtSeconds === undefined) continue;
    if (isAhead(lastTestAtSeconds, answeredAtSeconds)) continue;
    newest = Math.max(newest ?? lastTestAtSeconds, lastTestAtSeconds);
  }
  return newest;
}

export function isAhead(atSeconds: number, answeredAtSeconds: number): boolean {
  return atSeconds > answeredAtSeconds + clockToleranceSeconds;
}

/**
 * The entry of a list, or the known one where the list is older than the one before: it would take back what was shown. A
 * known test ahead of the clock is a mistake, and no reason to wait for later ones.
 */
export function newestOf(
  known: Check | undefined,
  listed: Check,
  answeredAtSeconds: number,
): Check {
  const before = known?.lastTestAtSeconds;
  const at = listed.lastTestAtSeconds;
  if (known === undefined || before === undefined || at === undefined || at >= before)
    return listed;
  if (isAhead(before, answeredAtSeconds)) return listed;
  return { ...listed, ...pick(known, ['status', ...checkMeasurements]) };
}
