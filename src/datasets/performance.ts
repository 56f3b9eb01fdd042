import { unixSeconds } from '../lib/clock.ts';
import { type Refresh, result } from '../schedule/refresh.ts';
import { averagesAfter, hoursToAsk } from '../windows/hourly-averages.ts';
import type { RefreshContext } from './refresh-context.ts';

const hourSeconds = 3_600;

/** What was measured of one check in the last complete hour, and in those of the last week that are not known yet. */
export function refreshPerformance({ service, state, clock }: RefreshContext): Refresh {
  return async (id, signal) => {
    const last = lastHour(unixSeconds(clock));
    const known = state.checks.get(id)?.details.hourlyAverages?.value;
    const query = { ...hoursToAsk(known, last.toSeconds), resolution: 'hour' } as const;
    const { items, rejected } = await service.performance({ checkId: id, ...query }, signal);
    const hour = items.find(({ startAtSeconds }) => startAtSeconds === last.fromSeconds);
    state.setCheckDetail(id, 'performance', hour);
    state.setCheckDetail(id, 'hourlyAverages', averagesAfter(known, items, last.toSeconds));
    return result(items.length, rejected);
  };
}

/** The last complete hour of UTC. */
export function lastHour(nowSeconds: number) {
  const toSeconds = Math.floor(nowSeconds / hourSeconds) * hourSeconds;
  return { fromSeconds: toSeconds - hourSeconds, toSeconds };
}
