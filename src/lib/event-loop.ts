import { setImmediate } from 'node:timers/promises';
import type { MonotonicClock } from './clock.ts';

/** Resolves in the next iteration of the event loop, so that long work does not delay requests. */
export function yieldToEventLoop(): Promise<void> {
  return setImmediate();
}

/** Long work blocks the event loop for at most this time, plus the duration of one of its steps. */
const sliceMilliseconds = 10;

interface SlicesOptions {
  readonly clock: MonotonicClock;
  /** Resolves in the next iteration of the event loop. */
  readonly yieldToEventLoop: () => Promise<void>;
}

/** Divides work into slices: the result, called between steps, yields after each slice. */
export function startSlices({ clock, yieldToEventLoop }: SlicesOptions): () => Promise<void> {
  let sliceStart = clock.monotonic();
  return async () => {
    if (clock.monotonic() - sliceStart < sliceMilliseconds) return;
    await yieldToEventLoop();
    sliceStart = clock.monotonic();
  };
}
