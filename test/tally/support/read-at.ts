import type { RequestTimes } from '../../../src/tally/list-times.ts';

/** A list that arrived at once. */
export function readAt(atSeconds: number, elapsedSeconds = 60): RequestTimes {
  return { requestedAtSeconds: atSeconds, receivedAtSeconds: atSeconds, elapsedSeconds };
}
