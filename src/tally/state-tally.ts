import type { StateSpan, TalliedState } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';

export const noSeconds: SecondsByState = { up: 0, down: 0, unknown: 0, unmonitored: 0 };

export function addSpans(seconds: SecondsByState, spans: readonly StateSpan[]): SecondsByState {
  const sum = { ...seconds };
  for (const { state, fromSeconds, toSeconds } of spans) sum[state] += toSeconds - fromSeconds;
  return sum;
}

/**
 * The seconds and outages of one check or transaction. At every moment
 * `up + down + unknown + unmonitored = horizon − start`, and no field but `state`, the outage's and the
 * evidence's ever goes back. Times are UNIX seconds of the service's clock.
 */
export interface StateTally {
  readonly startSeconds: number;
  /** Everything before it is recorded, nothing after it. */
  readonly horizonSeconds: number;
  readonly seconds: SecondsByState;
  /** Outages that began after the start, each counted when its beginning is recorded. */
  readonly outages: number;
  /** What the item is at the horizon itself, from the test made there on. */
  readonly state: TalliedState;
  /** The last second recorded belongs to an outage, which may go on behind the horizon. */
  readonly inOutage: boolean;
  /** When the open outage began; absent without one, or when it was open at the start and the service does not tell. */
  readonly outageSinceSeconds?: number;
  /** Of the last outage that ended. */
  readonly lastOutageSeconds?: number;
  /** The resolution at the horizon: another one later means that tests stopped in between. */
  readonly resolutionSeconds?: number;
  /** A list showed something before this moment that later lists do not show, so that only an outage report may be recorded up to it. */
  readonly reportUntilSeconds?: number;
}
