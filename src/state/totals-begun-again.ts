import { countedFrom } from '../slo/state-log.ts';
import { startEventTally } from '../tally/event-tally.ts';
import { startResultTally } from '../tally/result-tally.ts';
import type { CheckTotals } from './items/totals.ts';

/**
 * Totals of a check that start again at 0 and count from `nowSeconds` (UNIX seconds) on; those of a
 * transaction are `countedFrom`. They replace totals that may be lower than shown values: Prometheus
 * would take the decrease for a counter reset and count the lower value a second time. Histories are
 * not reset, and the time since they were stored is still added to them.
 */
export function checkBegunAgain(totals: CheckTotals, nowSeconds: number): CheckTotals {
  const { maintenance: _, ...rest } = totals;
  const { boundsSeconds } = totals.results.responseTimes;
  return {
    ...countedFrom(rest, nowSeconds),
    results: startResultTally(nowSeconds, boundsSeconds),
    analyses: startEventTally(nowSeconds),
  };
}
