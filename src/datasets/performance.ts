import { unixSeconds } from '../lib/clock.ts';
import { type Refresh, result } from '../schedule/refresh.ts';
import type { RefreshContext } from './refresh-context.ts';

const hourSeconds = 3_600;

/** What was measured of one check in the last complete hour. */
export function refreshPerformance({ service, state, clock }: RefreshContext): Refresh {
  return async (id, signal) => {
    const period = { ...lastHour(unixSeconds(clock)), resolution: 'hour' } as const;
    const { items, rejected } = await service.performance({ checkId: id, ...period }, signal);
    const hour = items.find(({ startAtSeconds }) => startAtSeconds === period.fromSeconds);
    state.setCheckDetail(id, 'performance', hour);
    return result(items.length, rejected);
  };
}

/** The last complete hour of UTC. */
export function lastHour(nowSeconds: number) {
  const toSeconds = Math.floor(nowSeconds / hourSeconds) * hourSeconds;
  return { fromSeconds: toSeconds - hourSeconds, toSeconds };
}
