import { occurrencesWithin } from '../domain/maintenance.ts';
import { unixSeconds } from '../lib/clock.ts';
import { type Refresh, result } from '../schedule/refresh.ts';
import { historySeconds } from '../windows/state-history.ts';
import type { RefreshContext } from './refresh-context.ts';

const daySeconds = 86_400;
/** Upcoming occurrences are fetched too, so that maintenance begins on time without a request. */
const maintenanceAheadSeconds = 30 * daySeconds;

/** Windows, and their occurrences from the earliest time that is not booked yet for every check. */
export function refreshMaintenance({ service, state, clock }: RefreshContext): Refresh {
  return async (_id, signal) => {
    const now = unixSeconds(clock);
    const windows = await service.listMaintenance(signal);
    const period = {
      // Windows leave out maintenance of their whole length, whenever it was told.
      fromSeconds: Math.min(state.earliestHorizonSeconds - daySeconds, now - historySeconds),
      toSeconds: now + maintenanceAheadSeconds,
    };
    const occurrences = service.capabilities.has('list_occurrences')
      ? await service.listOccurrences(period, signal)
      : {
          items: windows.items.flatMap((window) => occurrencesWithin(window, period)),
          rejected: [],
        };
    state.setAccountData({
      maintenance: { windows: windows.items, occurrences: occurrences.items },
    });
    return result(windows.items.length, [...windows.rejected, ...occurrences.rejected]);
  };
}
