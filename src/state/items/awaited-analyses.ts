import { recentSeconds, recentSpans } from '../../tally/recent-changes.ts';
import type { CheckTotals } from './totals.ts';

/** The service analyses an outage within minutes of its confirmation. */
const firstWaitMilliseconds = 300_000;

interface Wait {
  milliseconds: number;
  /** On the monotonic clock. */
  askAt: number;
}

/**
 * Checks with an outage whose root cause analysis has not appeared yet. It is asked for again, less and less
 * often, until the outage is a day old.
 */
export class AwaitedAnalyses {
  readonly #waits = new Map<number, Wait>();

  /** An outage began; `now` is in milliseconds of the monotonic clock. */
  expect(id: number, now: number): void {
    this.#waits.set(id, {
      milliseconds: firstWaitMilliseconds,
      askAt: now + firstWaitMilliseconds,
    });
  }

  /** The checks to ask for now; each is asked for again later, unless it is forgotten. */
  due(now: number): number[] {
    const due: number[] = [];
    for (const [id, wait] of this.#waits) {
      if (wait.askAt > now) continue;
      due.push(id);
      wait.milliseconds *= 2;
      wait.askAt = now + wait.milliseconds;
    }
    return due;
  }

  forget(id: number): void {
    this.#waits.delete(id);
  }
}

/** An outage of the last day that the tally counted has no analysis among those that were counted. */
export function awaitsAnalysis({ states, recent, analyses }: CheckTotals): boolean {
  const slack = 2 * (states.resolutionSeconds ?? 0);
  const known = analyses.watermark.recent;
  return recentSpans({ states, ...(recent !== undefined && { recent }) }).some(
    ({ state, fromSeconds, toSeconds }) =>
      state === 'down' &&
      fromSeconds > Math.max(states.startSeconds, states.horizonSeconds - recentSeconds) &&
      !known.some(
        ({ atSeconds }) => atSeconds >= fromSeconds - slack && atSeconds < toSeconds + slack,
      ),
  );
}
