import { unixSeconds } from '../lib/clock.ts';
import { type Refresh, result } from '../schedule/refresh.ts';
import { averagesAfter, hoursToAsk } from '../windows/hourly-averages.ts';
import { lastHour } from './performance.ts';
import type { RefreshContext } from './refresh-context.ts';

/** The same for one transaction and its steps. */
export function refreshTransactionPerformance({ service, state, clock }: RefreshContext): Refresh {
  return async (id, signal) => {
    const last = lastHour(unixSeconds(clock));
    const known = state.transactions.get(id)?.details.hourlyAverages?.value;
    const hours = { ...hoursToAsk(known, last.toSeconds), resolution: 'hour' } as const;
    const query = { transactionId: id, ...hours };
    const { items, rejected } = await service.transactionPerformance(query, signal);
    const hour = items.find(({ startAtSeconds }) => startAtSeconds === last.fromSeconds);
    state.setTransactionDetail(id, 'performance', hour);
    state.setTransactionDetail(id, 'hourlyAverages', averagesAfter(known, items, last.toSeconds));
    return result(items.length, rejected);
  };
}
