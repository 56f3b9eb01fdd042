import { unixSeconds } from '../lib/clock.ts';
import { type ItemRefresh, result } from '../schedule/refresh.ts';
import type { RefreshContext } from './refresh-context.ts';

const periodSeconds = 7 * 86_400;

/** The response time of one check by hour of the day, over the last week. */
export function refreshHoursOfDay({ service, state, clock }: RefreshContext): ItemRefresh {
  return async (id, signal) => {
    const toSeconds = unixSeconds(clock);
    const query = { checkId: id, fromSeconds: toSeconds - periodSeconds, toSeconds };
    const { items, rejected } = await service.hoursOfDay(query, signal);
    state.setCheckDetail(id, 'hoursOfDay', items);
    return result(items.length, rejected);
  };
}
