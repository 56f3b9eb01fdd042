import type { DatasetName } from '../domain/dataset.ts';
import type { FirstSightCheck } from '../state/items/first-sight.ts';
import { shortSeconds } from './lasting-rate.ts';
import type { RefreshTask } from './refresh-task.ts';

/**
 * The requests for a newly seen check with an open outage, in this order: the report, which has its
 * start, then the analysis and the results, which have its cause. Of every other check, the report
 * of the time before first sight is read.
 */
const stagesOfOpen: readonly DatasetName[] = ['history', 'analyses', 'results'];

/**
 * All requests of first sight, in their order. Each stage is completed for all checks before the
 * next one, so that every open outage has its start before any has its cause. Within a stage, the
 * check that failed last is first. Pasts that the credit allows to read at once come in the order of
 * their ids, because neighbours are rendered together.
 */
export function firstSightOrder(checks: Iterable<FirstSightCheck>, credit: number): RefreshTask[] {
  const latestFirst = [...checks].sort((a, b) => b.lastFailedAtSeconds - a.lastFailedAtSeconds);
  const requests = (dataset: DatasetName, isOpen: boolean) =>
    latestFirst
      .filter((check) => check.isOpen === isOpen && check.lacks.has(dataset))
      .map(({ id }) => ({ dataset, id }));
  const ofOpen = stagesOfOpen.flatMap((dataset) => requests(dataset, true));
  const pasts = requests('history', false);
  const atOnce = pasts.splice(0, Math.max(0, credit - ofOpen.length));
  return [...ofOpen, ...atOnce.sort((a, b) => a.id - b.id), ...pasts];
}

/** The number and the rate of requests that first sight may send. */
interface FirstSightAllowance {
  /** Requests that may be sent at once; given only once. */
  readonly credit: number;
  /** The rate after the credit is spent. */
  readonly requestsPerSecond: number;
  /** The rate after an hour, when the short window is full again; by default the same. */
  readonly lastingRequestsPerSecond?: number;
}

/** Seconds until first sight has sent this many requests; Infinity if it may send none. */
export function secondsToRead(
  requests: number,
  { credit, requestsPerSecond, lastingRequestsPerSecond = requestsPerSecond }: FirstSightAllowance,
): number {
  if (requests <= credit) return 0;
  const inShortWindow = requestsPerSecond * shortSeconds;
  const later = requests - credit - inShortWindow;
  return later <= 0
    ? (requests - credit) / requestsPerSecond
    : shortSeconds + later / lastingRequestsPerSecond;
}

/** First sight's share of the rate that neither status nor events need. */
export const firstSightShare = 0.8;
/** The share of a past beyond 35 days, which is read after first sight. */
export const deeperShare = 0.25;
