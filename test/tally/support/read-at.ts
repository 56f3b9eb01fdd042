import type { ReadingTimes } from '../../../src/tally/list-reading.ts';

/** A list that was there at once. */
export function readAt(atSeconds: number, elapsedSeconds = 60): ReadingTimes {
  return { askedAtSeconds: atSeconds, answeredAtSeconds: atSeconds, elapsedSeconds };
}
