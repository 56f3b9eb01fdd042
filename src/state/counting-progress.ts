import type { Check } from '../domain/check.ts';
import { type SecondsByState, type TalliedState, talliedStates } from '../domain/totals.ts';
import { clip } from '../tally/late-maintenance.ts';
import { type RecentTally, recentSpans } from '../tally/recent-changes.ts';

/** How far the counters of the checks reach. */
export interface CountingReach {
  /** The earliest horizon of a check that is tested; absent when none is. UNIX seconds. */
  readonly countedUntilSeconds?: number;
  /** The largest distance of a horizon from the last test that there should have been. */
  readonly lagSeconds: number;
}

const defaultResolutionSeconds = 60;

export function countingReach(
  records: Iterable<{ readonly entry: Check; readonly totals: RecentTally }>,
  nowSeconds: number,
): CountingReach {
  let until = Number.POSITIVE_INFINITY;
  let lagSeconds = 0;
  for (const { entry, totals } of records) {
    const { status, resolutionSeconds = defaultResolutionSeconds } = entry;
    if (status === 'paused' || status === 'unknown' || entry.lastTestAtSeconds === undefined) {
      continue;
    }
    const { horizonSeconds } = totals.states;
    until = Math.min(until, horizonSeconds);
    // An unconfirmed failure waits for the next test.
    if (status === 'unconfirmed_down') continue;
    lagSeconds = Math.max(lagSeconds, nowSeconds - resolutionSeconds - horizonSeconds);
  }
  return { lagSeconds, ...(Number.isFinite(until) && { countedUntilSeconds: until }) };
}

/** Seconds that were counted later than twice the planned interval, or than twice the time between two tests. */
export class LateSeconds {
  readonly #seconds: { [S in TalliedState]: number } = {
    up: 0,
    down: 0,
    unknown: 0,
    unmonitored: 0,
  };

  get seconds(): SecondsByState {
    return this.#seconds;
  }

  /** `after` takes the place of `before`. */
  counted(before: RecentTally, after: RecentTally, nowSeconds: number, intervalSeconds = 0): void {
    const { resolutionSeconds = defaultResolutionSeconds } = after.states;
    const inTimeFrom = nowSeconds - 2 * Math.max(intervalSeconds, resolutionSeconds);
    const { horizonSeconds: from } = before.states;
    const { horizonSeconds: to } = after.states;
    if (to <= from || from >= inTimeFrom) return;
    for (const state of talliedStates) {
      const counted = after.states.seconds[state] - before.states.seconds[state];
      this.#seconds[state] += Math.max(0, counted - secondsIn(after, state, inTimeFrom, to));
    }
  }
}

function secondsIn(tally: RecentTally, state: TalliedState, from: number, to: number): number {
  const spans = recentSpans(tally).filter((span) => span.state === state);
  return clip(spans, from, to).reduce((sum, span) => sum + span.toSeconds - span.fromSeconds, 0);
}
