import type { StateSpan, TalliedState, TimeRange } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';

export const noSeconds: SecondsByState = { up: 0, down: 0, unknown: 0, unmonitored: 0 };

export function addSpans(seconds: SecondsByState, spans: readonly StateSpan[]): SecondsByState {
  const sum = { ...seconds };
  for (const { state, fromSeconds, toSeconds } of spans) sum[state] += toSeconds - fromSeconds;
  return sum;
}

export const factKinds = ['down', 'failed', 'paused', 'undated'] as const;

/**
 * What a list has shown of the time after the horizon: the check was down for at least a second of
 * this range, which begins with its outage (`undated`: the outage began earlier); it failed a test
 * whose outcome no list shows; or it was paused. UNIX seconds.
 */
export interface ListedFact extends TimeRange {
  readonly kind: (typeof factKinds)[number];
}

/**
 * The seconds and outages of one check or transaction. At every moment, `up + down + unknown +
 * unmonitored = horizon − start`. The horizon, the seconds and the outages never decrease, unless
 * the totals restart at 0. Times are UNIX seconds of the service's clock.
 */
export interface StateTally {
  readonly startSeconds: number;
  /** Everything before it is recorded, nothing after it. */
  readonly horizonSeconds: number;
  readonly seconds: SecondsByState;
  /** Outages that began after the start, each counted when its beginning is recorded. */
  readonly outages: number;
  /** The state that begins with the test at the horizon. */
  readonly state: TalliedState;
  /** The last recorded second belongs to an outage, which may continue after the horizon. */
  readonly inOutage: boolean;
  /** The start of the open outage; absent if none is open or its start is unknown. */
  readonly outageSinceSeconds?: number;
  /** The duration of the last ended outage whose start is known. */
  readonly lastOutageSeconds?: number;
  /** The resolution at the horizon. If it changes, tests stopped in between. */
  readonly resolutionSeconds?: number;
  /** Up to here a list showed what later ones do not: only a report may be recorded. */
  readonly reportUntilSeconds?: number;
  /** What lists have shown of the time after the horizon while a report was awaited. */
  readonly facts?: readonly ListedFact[];
  /** The state at the horizon is known only from a report: no list has shown that test. */
  readonly isReported?: true;
}
