import { unixSeconds } from '../lib/clock.ts';
import { type Refresh, result } from '../schedule/refresh.ts';
import { lastHour } from './performance.ts';
import type { RefreshContext } from './refresh-context.ts';

/** What was measured of one transaction and its steps in the last complete hour. */
export function refreshTransactionPerformance({ service, state, clock }: RefreshContext): Refresh {
  return async (id, signal) => {
    const period = { ...lastHour(unixSeconds(clock)), resolution: 'hour' } as const;
    const query = { transactionId: id, ...period };
    const { items, rejected } = await service.transactionPerformance(query, signal);
    const hour = items.find(({ startAtSeconds }) => startAtSeconds === period.fromSeconds);
    state.setTransactionDetail(id, 'performance', hour);
    return result(items.length, rejected);
  };
}
