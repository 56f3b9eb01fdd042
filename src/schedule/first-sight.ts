import type { WindowView } from '../budget/budget-view.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { FirstSightCheck } from '../state/items/first-sight.ts';
import type { AgendaItem } from './agenda-item.ts';

/**
 * What is asked of a check that was just seen for the first time, in this order: when what is open began, whose analysis
 * and whose results say why, and what happened before to the others.
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
 * The requests of first sight, the first one first: of all that is open one report each, then one analysis list each, then
 * one page of results each, so that every outage has its beginning before one has its cause; then the past of the others.
 * Within each, what failed last comes first.
 */
export function firstSightOrder(checks: Iterable<FirstSightCheck>): AgendaItem[] {
  const latestFirst = [...checks].sort((a, b) => b.lastFailedAtSeconds - a.lastFailedAtSeconds);
  return stages.flatMap((stage) => {
    const dataset = datasetOf[stage];
    const isOpen = stage !== 'past';
    return latestFirst
      .filter((check) => check.isOpen === isOpen && check.lacks.has(dataset))
      .map(({ id }) => ({ dataset, id }));
  });
}

/** What first sight may spend. */
export interface FirstSightAllowance {
  /** Requests that may be sent at once, once. */
  readonly credit: number;
  /** From then on. */
  readonly requestsPerSecond: number;
}

/** Seconds until so many of its requests have been sent; Infinity where nothing may be spent. */
export function secondsToRead(
  requests: number,
  { credit, requestsPerSecond }: FirstSightAllowance,
): number {
  return requests <= credit ? 0 : (requests - credit) / requestsPerSecond;
}

/** Of what neither status nor events need, first sight gets this share, and the rest of the datasets what is left. */
export const firstSightShare = 0.8;

/**
 * What the short window can give at once without slowing anything down: what is left above the reserve when the plan
 * has spent its rate until the reset. On 400 requests an hour, of which the long window sustains 80, that is 240.
 */
export function creditOf(
  requestsPerSecond: number,
  short: Pick<WindowView, 'remaining' | 'reserve' | 'resetSeconds'> | undefined,
): number {
  if (short === undefined) return 0;
  const { remaining, reserve, resetSeconds } = short;
  return Math.max(0, Math.floor(remaining - reserve - requestsPerSecond * resetSeconds));
}
