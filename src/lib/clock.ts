import { setTimeout as delay } from 'node:timers/promises';

/**
 * Time as a port. Wall time says when something happened; the monotonic clock measures how long
 * something takes or has to wait, so that a step of the wall clock neither stalls nor bursts.
 */
export interface Clock {
  /** Wall time in milliseconds since the UNIX epoch. */
  now(): number;
  /** Milliseconds since an arbitrary start; never steps back. */
  monotonic(): number;
  /** Resolves after `milliseconds`, or rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** A longer timer overflows Node's 32-bit timer and would fire at once. */
const maxTimerMilliseconds = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (milliseconds, signal) => {
    await delay(
      Math.min(Math.max(0, milliseconds), maxTimerMilliseconds),
      undefined,
      signal === undefined ? undefined : { signal },
    );
  },
};

/** Wall time of `clock` in whole seconds since the UNIX epoch. */
export function unixSeconds(clock: Pick<Clock, 'now'>): number {
  return Math.floor(clock.now() / 1000);
}
