import { setImmediate } from 'node:timers/promises';

/** Resolves after the event loop has had a turn, so that long work does not hold up requests. */
export function yieldToEventLoop(): Promise<void> {
  return setImmediate();
}
