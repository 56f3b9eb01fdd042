/** The time, from outside: simulated time may run faster than real time. */
export interface Clock {
  /** Wall time in milliseconds since the UNIX epoch. */
  now(): number;
  /** Milliseconds since an arbitrary start. The value never decreases. */
  monotonic(): number;
  /** Rejects with the reason of the signal. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Wall time of `clock` in whole seconds since the UNIX epoch. */
export function unixSeconds(clock: Pick<Clock, 'now'>): number {
  return Math.floor(clock.now() / 1000);
}
