import type { DatasetName } from '../domain/dataset.ts';
import { unixSeconds } from '../lib/clock.ts';
import { ofItem, type Refresh, result } from '../schedule/refresh.ts';
import { activeProbesDays, hoursOfDayDays } from '../state/items/check-items.ts';
import type { RefreshContext } from './refresh-context.ts';

const daySeconds = 86_400;

/** Datasets of one check that are stored unchanged, as a detail of the check. */
export function checkDetailRefreshes({ service, state, clock }: RefreshContext) {
  function lastDays(checkId: number, days: number) {
    const toSeconds = unixSeconds(clock);
    return { checkId, fromSeconds: toSeconds - days * daySeconds, toSeconds };
  }

  return {
    /** The settings of the check. */
    detail: ofItem(async (id, signal) => {
      state.setDetail('check', id, 'settings', await service.check({ checkId: id }, signal));
      return result(1);
    }),
    /** The response time by hour of the day, over the last week. */
    hours_of_day: ofItem(async (id, signal) => {
      const { items, rejected } = await service.hoursOfDay(lastDays(id, hoursOfDayDays), signal);
      state.setDetail('check', id, 'hoursOfDay', items);
      return result(items.length, rejected);
    }),
    /** The number of probes that tested the check in the last day. */
    active_probes: ofItem(async (id, signal) => {
      const { items, rejected } = await service.listActiveProbes(
        lastDays(id, activeProbesDays),
        signal,
      );
      state.setDetail('check', id, 'activeProbes', items.length);
      return result(items.length, rejected);
    }),
  } satisfies Partial<Record<DatasetName, Refresh>>;
}
