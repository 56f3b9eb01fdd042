import type { StateSpan, TalliedState, TimeRange } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';

export const noSeconds: SecondsByState = { up: 0, down: 0, unknown: 0, unmonitored: 0 };

export function addSpans(seconds: SecondsByState, spans: readonly StateSpan[]): SecondsByState {
  const sum = { ...seconds };
  for (const { state, fromSeconds, toSeconds } of spans) sum[state] += toSeconds - fromSeconds;
  return sum;
}

export const factKinds = [
  'down',
  'failed',
  'paused',
  'undated',
  'unknown',
  'ended',
  'untested',
  'absence',
] as const;

/**
 * What a list has shown of the time after the horizon: the check was down for at least a second of
 * this range, which begins with its outage (`undated`: the outage began earlier); it failed a test
 * whose outcome no list shows; it was paused; or the first test that a list has shown after a pause
 * was `unknown`; or the last outage ended with a good test (`ended`); or the check was unknown, but
 * no test was listed (`untested`); or no list was read for so long that outages may have begun and
 * ended unseen (`absence`). UNIX seconds.
 */
export interface ListedFact extends TimeRange {
  readonly kind: (typeof factKinds)[number];
}

/**
 * The counted time of one check or transaction, and what lists have shown of the time after it. The
 * horizon never decreases. Times are UNIX seconds of the service's clock.
 */
export interface StateTally {
  /** Time before it is not counted. */
  readonly startSeconds: number;
  /** Everything before it is recorded, nothing after it. */
  readonly horizonSeconds: number;
  /** The state that begins with the test at the horizon. */
  readonly state: TalliedState;
  /** The resolution at the horizon. If it changes, tests stopped in between. */
  readonly resolutionSeconds?: number;
  /** Up to here a list showed what later ones do not: only a report may be recorded. */
  readonly reportUntilSeconds?: number;
  /** Up to here, lists have shown the check as unknown after the horizon, perhaps without a test. */
  readonly unknownUntilSeconds?: number;
  /** Since this list, all have shown the check as paused, without a long time between two of them. */
  readonly pausedSinceSeconds?: number;
  /** What lists have shown of the time after the horizon while a report was awaited. */
  readonly facts?: readonly ListedFact[];
  /** The state at the horizon is known only from a report: no list has shown that test. */
  readonly isReported?: true;
}
