import type { WindowName, WindowReport } from '../domain/rate-limit.ts';

/** One request. `order` numbers all admissions and releases of the account. */
export interface Flight {
  readonly admittedOrder: number;
  readonly admittedAt: number;
  /** The account's requests that ended while this one was in flight. */
  readonly releasedMeanwhile: number;
  readonly releasedOrder: number;
  readonly releasedAt: number;
}

/**
 * The earliest and the latest time at which a window can end. They differ because the service wrote
 * the header at some time between the request and the response.
 */
export interface End {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** An earlier report, with which a new one is compared. */
interface Placed {
  readonly end: End;
  readonly releasedAt: number;
}

/** The service rounds the time until the reset to a second, up or down. */
const roundingMilliseconds = 1000;
/** Reports of one window agree on its end within this: rounding and clock drift. */
export const endToleranceMilliseconds = 5000;
const clockDriftShare = 0.001;
/** The windows last an hour and 30 days. A reset much further in the future is a mistake. */
const maxResetSeconds: { readonly [W in WindowName]: number } = {
  short: 2 * 3600,
  long: 32 * 86_400,
};
/** Limits are at most some millions of requests in 30 days. */
const maxRemaining = 1e9;

/** 0 for a report about the same window as the latest, 1 about a later, -1 about an earlier. */
export function endShift(latest: Placed, flight: Flight, report: WindowReport): -1 | 0 | 1 {
  const apart = Math.abs(flight.releasedAt - latest.releasedAt);
  const tolerance = endToleranceMilliseconds + clockDriftShare * apart;
  const end = windowEndOf(flight, report);
  if (end.notBefore > latest.end.notAfter + tolerance) return 1;
  return end.notAfter + tolerance < latest.end.notBefore ? -1 : 0;
}

/** The earliest and the latest end of the window in a report. */
export function windowEndOf(flight: Flight, report: WindowReport): End {
  const untilReset = report.resetSeconds * 1000;
  return {
    notBefore: flight.admittedAt + untilReset - roundingMilliseconds,
    notAfter: flight.releasedAt + untilReset + roundingMilliseconds,
  };
}

export function plausible(window: WindowName, { remaining, resetSeconds }: WindowReport): boolean {
  return (
    remaining >= 0 &&
    remaining <= maxRemaining &&
    resetSeconds >= 0 &&
    resetSeconds <= maxResetSeconds[window]
  );
}
