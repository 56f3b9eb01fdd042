import type { TalliedState } from '../domain/interval.ts';
import type { TransactionStateSpan } from '../domain/transaction.ts';
import type { Horizon } from './advance.ts';
import { longestLagSeconds } from './list-times.ts';

/** A run is reported at its end with the time of its start, so younger states may change. */
export const settlingSeconds = 300;

/**
 * Returns the longest lag of a report ago, if the transaction had stopped by then: every report has
 * all its runs up to that time. Otherwise a report may still lack the state between its last runs.
 */
export function idleUntil(
  stoppedSeconds: number | undefined,
  untilSeconds: number,
): number | undefined {
  const reportedSeconds = untilSeconds + settlingSeconds - longestLagSeconds;
  const isReported = stoppedSeconds !== undefined && stoppedSeconds <= reportedSeconds;
  return isReported ? reportedSeconds : undefined;
}

/** Up to where the states of a stopped transaction are known. */
export function idleAfter(
  last: TransactionStateSpan | undefined,
  idleSeconds: number,
  untilSeconds: number,
): number {
  return Math.max(Math.min(last?.toSeconds ?? 0, untilSeconds), idleSeconds);
}

/**
 * A report proves the states up to the end of its last state, which is the last run. A stopped
 * transaction has no further runs, so its states are also known up to `idleSeconds`.
 */
export function transactionHorizon(
  spans: readonly TransactionStateSpan[],
  untilSeconds: number,
  idleSeconds: number,
): Horizon {
  const last = spans.at(-1);
  const atSeconds = idleAfter(last, idleSeconds, untilSeconds);
  const isLast = last !== undefined && atSeconds === last.toSeconds;
  return { atSeconds, state: isLast ? last.state : stateAt(spans, atSeconds) };
}

function stateAt(spans: readonly TransactionStateSpan[], atSeconds: number): TalliedState {
  const span = spans.find(
    ({ fromSeconds, toSeconds }) => fromSeconds <= atSeconds && atSeconds < toSeconds,
  );
  return span?.state ?? 'unmonitored';
}
