import type { WindowView } from '../budget/budget-view.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { FirstSightCheck } from '../state/items/first-sight.ts';
import type { RefreshTask } from './refresh-task.ts';

/**
 * The requests for newly seen checks, in this order: the report of an open outage, which has its start; its analysis
 * and its results, which have its cause; and the past of the other checks.
 */
const stages = ['report', 'analysis', 'results', 'past'] as const;
type Stage = (typeof stages)[number];

const datasetOf: { readonly [S in Stage]: DatasetName } = {
  report: 'history',
  analysis: 'analyses',
  results: 'results',
  past: 'history',
};

/**
 * All requests of first sight in their order. Each stage is done for all checks before the next, so that every open
 * outage has its start before the first one has its cause. Within a stage, the check that failed last comes first.
 */
export function firstSightOrder(checks: Iterable<FirstSightCheck>): RefreshTask[] {
  const latestFirst = [...checks].sort((a, b) => b.lastFailedAtSeconds - a.lastFailedAtSeconds);
  return stages.flatMap((stage) => {
    const dataset = datasetOf[stage];
    const isOpen = stage !== 'past';
    return latestFirst
      .filter((check) => check.isOpen === isOpen && check.lacks.has(dataset))
      .map(({ id }) => ({ dataset, id }));
  });
}

/** The requests that first sight may send. */
export interface FirstSightAllowance {
  /** Requests that may be sent at once; given only once. */
  readonly credit: number;
  /** The rate after the credit is spent. */
  readonly requestsPerSecond: number;
}

/** Seconds until `requests` of its requests have been sent; Infinity when none may be sent. */
export function secondsToRead(
  requests: number,
  { credit, requestsPerSecond }: FirstSightAllowance,
): number {
  return requests <= credit ? 0 : (requests - credit) / requestsPerSecond;
}

/** First sight gets this share of the rate that neither status nor events need; the other datasets get the rest. */
export const firstSightShare = 0.8;

/**
 * The requests of the short window that can be spent at once without slowing anything down: the remaining requests
 * above the reserve, less the planned ones until the reset. For 400 requests an hour, of which the long window sustains
 * 80, that is 240.
 */
export function creditOf(
  requestsPerSecond: number,
  short: Pick<WindowView, 'remaining' | 'reserve' | 'resetSeconds'> | undefined,
): number {
  if (short === undefined) return 0;
  const { remaining, reserve, resetSeconds } = short;
  return Math.max(0, Math.floor(remaining - reserve - requestsPerSecond * resetSeconds));
}
