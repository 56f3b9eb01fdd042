import type { WindowName, WindowReading } from '../domain/rate-limit.ts';

/** A request as the ledgers see it. `order` numbers all admissions and settlements of the account. */
export interface Flight {
  readonly admittedOrder: number;
  readonly admittedAt: number;
  /** Requests of the account that were settled while this one was on its way. */
  readonly settledMeanwhile: number;
  readonly settledOrder: number;
  readonly settledAt: number;
}

/** Between which moments a window ends: the reading was taken somewhere between request and answer. */
export interface End {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** The reading that another one is compared with. */
interface Placed {
  readonly end: End;
  readonly settledAt: number;
}

/** The service rounds the time to its reset to a second, in whichever direction. */
const roundingMilliseconds = 1000;
/** Two readings of one window put its end at the same time, but for rounding and for clocks that run apart. */
export const endToleranceMilliseconds = 5000;
const clockDriftShare = 0.001;
/** Windows last an hour and 30 days; a reset much further away is not a reading but a mistake. */
const maxResetSeconds: { readonly [W in WindowName]: number } = {
  short: 2 * 3600,
  long: 32 * 86_400,
};
/** Budgets go up to some millions of requests in 30 days. */
const maxRemaining = 1e9;

/** 0 when the reading is of the same window as the latest one, 1 when of one that ends later, -1 earlier. */
export function endShift(latest: Placed, flight: Flight, reading: WindowReading): -1 | 0 | 1 {
  const apart = Math.abs(flight.settledAt - latest.settledAt);
  const tolerance = endToleranceMilliseconds + clockDriftShare * apart;
  const end = endOf(flight, reading);
  if (end.notBefore > latest.end.notAfter + tolerance) return 1;
  return end.notAfter + tolerance < latest.end.notBefore ? -1 : 0;
}

/** Between which moments the window of a reading ends. */
export function endOf(flight: Flight, reading: WindowReading): End {
  const untilReset = reading.resetSeconds * 1000;
  return {
    notBefore: flight.admittedAt + untilReset - roundingMilliseconds,
    notAfter: flight.settledAt + untilReset + roundingMilliseconds,
  };
}

/** Whether the numbers can be what the service means. */
export function plausible(window: WindowName, { remaining, resetSeconds }: WindowReading): boolean {
  return (
    remaining >= 0 &&
    remaining <= maxRemaining &&
    resetSeconds >= 0 &&
    resetSeconds <= maxResetSeconds[window]
  );
}
