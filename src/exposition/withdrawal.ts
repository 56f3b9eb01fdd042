import type { DatasetStatuses } from '../state/account-snapshot.ts';
import type { Family } from './catalogue/family.ts';

/**
 * Gauges are withdrawn when their dataset is too old or is not refreshed at all. Counters, histograms
 * and summaries stay: totals are true however old they are, and `rate` would take their return for a
 * reset.
 */
export function isWithdrawn(
  { type, dataset }: Pick<Family, 'type' | 'dataset'>,
  datasets: DatasetStatuses,
): boolean {
  return type === 'gauge' && dataset !== undefined && datasets[dataset]?.stale !== false;
}
