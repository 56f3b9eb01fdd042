import { occurrencesWithin } from '../domain/maintenance.ts';
import { unixSeconds } from '../lib/clock.ts';
import { type Refresh, type RefreshContext, result } from '../schedule/refresh.ts';
import { historySeconds } from '../windows/state-history.ts';

const daySeconds = 86_400;
/** Occurrences that are about to come are fetched too, so that maintenance begins on time without a request. */
const maintenanceAheadSeconds = 30 * daySeconds;

export function refreshCredits({ service, state }: RefreshContext): Refresh {
  return async (_id, signal) => {
    state.setAccountData({ credits: await service.credits(signal) });
    return result(1);
  };
}

export function refreshProbes({ service, state }: RefreshContext): Refresh {
  return async (_id, signal) => {
    const { items, rejected } = await service.listProbes(signal);
    state.setAccountData({ probes: items });
    return result(items.length, rejected);
  };
}

export function refreshContacts({ service, state }: RefreshContext): Refresh {
  return async (_id, signal) => {
    const { items, rejected } = await service.listContacts(signal);
    state.setAccountData({ contacts: items });
    return result(items.length, rejected);
  };
}

export function refreshTeams({ service, state }: RefreshContext): Refresh {
  return async (_id, signal) => {
    const { items, rejected } = await service.listTeams(signal);
    state.setAccountData({ teams: items });
    return result(items.length, rejected);
  };
}

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

/** What only 2.x tells of the account: its clock and its reports. */
export function refreshAccount({ service, state, clock }: RefreshContext): Refresh {
  return async (_id, signal) => {
    const serverTime = await service.serverTime(signal);
    const clockOffsetSeconds = serverTime - unixSeconds(clock);
    const email = await service.listEmailReports(signal);
    const open = await service.listPublicReports(signal);
    const shared = await service.listSharedReports(signal);
    state.setAccountData({
      clockOffsetSeconds,
      emailReports: email.items,
      publicReports: open.items,
      sharedReports: shared.items,
    });
    const entries = email.items.length + open.items.length + shared.items.length;
    return result(entries, [...email.rejected, ...open.rejected, ...shared.rejected]);
  };
}
