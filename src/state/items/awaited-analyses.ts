import { spansOf } from '../../windows/state-history.ts';
import type { CheckTotals } from './totals.ts';

/** The service analyses an outage within minutes of its confirmation. */
const firstWaitMilliseconds = 300_000;
/** An analysis may be listed this much later than the outage that it is about. */
export const analysesRereadSeconds = 86_400;

interface Wait {
  milliseconds: number;
  /** On the monotonic clock. */
  askAt: number;
}

/**
 * Checks with an outage whose root cause analysis has not appeared yet. It is asked for again, less and less
 * often, until it was read for more than a day after the outage.
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

/**
 * An outage that the tally counted has no analysis among those that were counted. It may have been listed since the last
 * reading, which went back a day: so however long the exporter was away, it is asked for once more.
 */
export function awaitsAnalysis({ states, history, analyses }: CheckTotals): boolean {
  const { atSeconds: readUntil, recent: known } = analyses.watermark;
  const slack = 2 * (states.resolutionSeconds ?? 0);
  const since = Math.min(readUntil, states.horizonSeconds) - analysesRereadSeconds;
  return spansOf(history?.changes ?? [], states.horizonSeconds).some(
    ({ state, fromSeconds, toSeconds }) =>
      state === 'down' &&
      fromSeconds > Math.max(states.startSeconds, since) &&
      !known.some(
        ({ atSeconds }) => atSeconds >= fromSeconds - slack && atSeconds < toSeconds + slack,
      ),
  );
}
