/** For the times of events. */
export interface WallClock {
  /** Wall time in milliseconds since the UNIX epoch. */
  now(): number;
}

/** For durations and delays, so that a step of the wall clock causes neither a stall nor a burst. */
export interface MonotonicClock {
  /** Milliseconds since an arbitrary start. The value never decreases. */
  monotonic(): number;
}

export interface Sleeper {
  /** Resolves after `milliseconds` or 24.8 days. Rejects with the reason of the signal. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Both times, for those that never wait. */
export interface ReadableClock extends WallClock, MonotonicClock {}

/** Time as a port. */
export interface Clock extends ReadableClock, Sleeper {}

/** Node's timers are limited to 31 bits. A longer timer would overflow and end at once. */
const maxTimerMilliseconds = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  // `node:timers/promises` would create an error with a stack for every sleep that ends early,
  // which most deadlines do.
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const end = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const timer = setTimeout(end, Math.min(Math.max(0, milliseconds), maxTimerMilliseconds));
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    }),
};

/** Wall time of `clock` in whole seconds since the UNIX epoch. */
export function unixSeconds(clock: WallClock): number {
  return Math.floor(clock.now() / 1000);
}
