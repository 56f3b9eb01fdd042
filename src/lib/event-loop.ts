import { setImmediate } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Resolves after the event loop has had a turn, so that long work does not delay requests. */
export function yieldToEventLoop(): Promise<void> {
  return setImmediate();
}

/** The longest time that long work blocks the event loop, plus one step. */
const sliceMilliseconds = 10;

interface SlicesOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Resolves after the event loop has had a turn. */
  readonly yieldToEventLoop: () => Promise<void>;
}

/** Long work in slices: the returned function yields to the event loop whenever a slice is used up. */
export function startSlices({ clock, yieldToEventLoop }: SlicesOptions): () => Promise<void> {
  let sliceStart = clock.monotonic();
  return async () => {
    if (clock.monotonic() - sliceStart < sliceMilliseconds) return;
    await yieldToEventLoop();
    sliceStart = clock.monotonic();
  };
}
