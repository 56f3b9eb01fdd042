import { getOrMake } from '../lib/get-or-make.ts';
import { whole } from '../lib/whole.ts';
import { type EventTally, startEventTally } from './event-tally.ts';
import { type ResultTally, startResultTally } from './result-tally.ts';
import type { Watermark } from './watermark.ts';

/** What is counted of a check besides its states. */
export interface CheckCounters {
  readonly results: ResultTally;
  readonly analyses: EventTally;
}

/**
 * Returns a function that starts counters. Checks that start at the same time share them, to save
 * memory: most checks are first seen in one list, and the limits of a large account allow few of
 * their results to be read.
 */
export function counterStarts(
  boundsSeconds: readonly number[],
): (startSeconds: number) => CheckCounters {
  const started = new Map<number, CheckCounters>();
  return (startSeconds) =>
    getOrMake(started, whole(startSeconds), () => ({
      results: startResultTally(startSeconds, boundsSeconds),
      analyses: startEventTally(startSeconds),
    }));
}

/** What all counters have in common. */
export interface Counters {
  readonly watermark: Watermark;
  readonly counts: Readonly<Record<string, number>>;
}

/** Returns whether a tally differs from one that starts at this time. */
export function hasCounted({ watermark, counts }: Counters, startSeconds: number): boolean {
  const start = whole(startSeconds);
  if (watermark.startSeconds !== start || watermark.atSeconds !== start) return true;
  return watermark.recent.length > 0 || Object.values(counts).some((count) => count > 0);
}
