import { setImmediate } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Resolves after the event loop has had a turn, so that long work does not hold up requests. */
export function yieldToEventLoop(): Promise<void> {
  return setImmediate();
}

/** The longest that long work holds the event loop, a last step aside. */
const sliceMilliseconds = 10;

interface SlicesOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Resolves after the event loop has had a turn. */
  readonly yieldToEventLoop: () => Promise<void>;
}

/** Long work in slices: the returned function gives the event loop a turn whenever a slice is used up. */
export function startSlices({ clock, yieldToEventLoop }: SlicesOptions): () => Promise<void> {
  let sliceStart = clock.monotonic();
  return async () => {
    if (clock.monotonic() - sliceStart < sliceMilliseconds) return;
    await yieldToEventLoop();
    sliceStart = clock.monotonic();
  };
}
