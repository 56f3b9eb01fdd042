import type { WindowName, WindowReport } from '../domain/rate-limit.ts';

/** One request. `order` numbers all admissions and releases of the account. */
export interface Flight {
  readonly admittedOrder: number;
  readonly admittedAt: number;
  /** Requests of the account that ended while this one was in flight. */
  readonly releasedMeanwhile: number;
  readonly releasedOrder: number;
  readonly releasedAt: number;
}

/**
 * The earliest and the latest moment at which a window can end: the service wrote the header between request and
 * response.
 */
export interface End {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** An earlier report, to compare with. */
interface Placed {
  readonly end: End;
  readonly releasedAt: number;
}

/** The service rounds the time to the reset to a second, up or down. */
const roundingMilliseconds = 1000;
/** Two reports of one window agree on its end within this tolerance, which covers rounding and clock drift. */
export const endToleranceMilliseconds = 5000;
const clockDriftShare = 0.001;
/** Windows last an hour and 30 days; a reset much further away is a mistake. */
const maxResetSeconds: { readonly [W in WindowName]: number } = {
  short: 2 * 3600,
  long: 32 * 86_400,
};
/** Limits are at most some millions of requests in 30 days. */
const maxRemaining = 1e9;

/**
 * 0 when both reports are about the same window, 1 when the later report is about a later window, -1 about an earlier
 * one.
 */
export function endShift(latest: Placed, flight: Flight, reading: WindowReport): -1 | 0 | 1 {
  const apart = Math.abs(flight.releasedAt - latest.releasedAt);
  const tolerance = endToleranceMilliseconds + clockDriftShare * apart;
  const end = endOf(flight, reading);
  if (end.notBefore > latest.end.notAfter + tolerance) return 1;
  return end.notAfter + tolerance < latest.end.notBefore ? -1 : 0;
}

/** The earliest and the latest end of the window in a report. */
export function endOf(flight: Flight, reading: WindowReport): End {
  const untilReset = reading.resetSeconds * 1000;
  return {
    notBefore: flight.admittedAt + untilReset - roundingMilliseconds,
    notAfter: flight.releasedAt + untilReset + roundingMilliseconds,
  };
}

/** Whether the numbers are plausible. */
export function plausible(window: WindowName, { remaining, resetSeconds }: WindowReport): boolean {
  return (
    remaining >= 0 &&
    remaining <= maxRemaining &&
    resetSeconds >= 0 &&
    resetSeconds <= maxResetSeconds[window]
  );
}
