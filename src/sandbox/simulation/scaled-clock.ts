import type { Clock } from '../../lib/clock.ts';

/**
 * A clock that runs `scale` times as fast as `clock`, starting from the same wall time. A step of the
 * underlying wall clock passes through unscaled.
 */
export function scaledClock(clock: Clock, scale: number): Clock {
  if (!Number.isFinite(scale) || scale <= 0) {
    throw new RangeError(`time scale must be a number above 0, not ${scale}`);
  }
  const start = clock.monotonic();
  return {
    now: () => clock.now() + (clock.monotonic() - start) * (scale - 1),
    monotonic: () => clock.monotonic() * scale,
    sleep: (milliseconds, signal) => clock.sleep(milliseconds / scale, signal),
  };
}
