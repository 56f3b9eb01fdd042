import type { Check } from '../domain/check.ts';

/** One reading of the check list. */
export interface ListReading {
  /** UNIX time when the list was asked for, by the exporter's clock. */
  readonly askedAtSeconds: number;
  /**
   * UNIX time by the service's clock that had passed when it made the list. Time in which nothing is
   * tested is recorded up to here, so a wrong clock of the exporter must not put it into the future.
   */
  readonly passedSeconds: number;
  /** Monotonic seconds since the list was read before; absent after a start, when nobody knows what lies between. */
  readonly elapsedSeconds?: number;
}

/** A test this far ahead of the exporter's clock is a mistake of one of the two; the tallies wait. */
export const clockToleranceSeconds = 300;

/** The service's clock shows only in its tests: the newest one has happened. With nothing tested, the exporter's clock has to do. */
export function listReadingOf(
  checks: Iterable<Check>,
  askedAtSeconds: number,
  elapsedSeconds?: number,
): ListReading {
  const newestTest = newestTestOf(checks, askedAtSeconds);
  return {
    askedAtSeconds,
    passedSeconds: Math.min(askedAtSeconds, newestTest ?? askedAtSeconds),
    ...(elapsedSeconds !== undefined && { elapsedSeconds }),
  };
}

/** When something was tested last, among the checks that are being tested: paused and unknown ones may not have been for weeks. */
export function newestTestOf(checks: Iterable<Check>, askedAtSeconds: number): number | undefined {
  let newest: number | undefined;
  for (const { status, lastTestAtSeconds } of checks) {
    if (status === 'paused' || status === 'unknown') continue;
    if (lastTestAtSeconds === undefined) continue;
    if (isAhead(lastTestAtSeconds, askedAtSeconds)) continue;
    newest = Math.max(newest ?? lastTestAtSeconds, lastTestAtSeconds);
  }
  return newest;
}

export function isAhead(atSeconds: number, askedAtSeconds: number): boolean {
  return atSeconds > askedAtSeconds + clockToleranceSeconds;
}
