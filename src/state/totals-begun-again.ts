import { countedFrom } from '../slo/state-log.ts';
import { startEventTally } from '../tally/event-tally.ts';
import { startResultTally } from '../tally/result-tally.ts';
import type { CheckTotals } from './items/totals.ts';
import type { RestoredTotals } from './stored-account.ts';

/**
 * Totals that start again at 0 and count from `nowSeconds` (UNIX seconds) on. They replace totals
 * that may be lower than shown values: Prometheus would take the decrease for a counter reset and
 * count the lower value a second time. Histories are not reset, and the time since they were stored
 * is still added to them.
 */
export function totalsBegunAgain(former: RestoredTotals, nowSeconds: number): RestoredTotals {
  const { checkTotals, transactionTotals, alerts } = former;
  return {
    checkTotals: mapValues(checkTotals, (totals) => checkBegunAgain(totals, nowSeconds)),
    transactionTotals: mapValues(transactionTotals, (totals) => countedFrom(totals, nowSeconds)),
    ...(alerts !== undefined && { alerts: startEventTally(nowSeconds) }),
  };
}

function checkBegunAgain(totals: CheckTotals, nowSeconds: number): CheckTotals {
  const { maintenance: _, ...rest } = totals;
  const { boundsSeconds } = totals.results.responseTimes;
  return {
    ...countedFrom(rest, nowSeconds),
    results: startResultTally(nowSeconds, boundsSeconds),
    analyses: startEventTally(nowSeconds),
  };
}

function mapValues<T>(from: ReadonlyMap<number, T>, to: (value: T) => T): ReadonlyMap<number, T> {
  return new Map([...from].map(([id, value]) => [id, to(value)]));
}
