import type { Listing } from '../api/service.ts';
import type { TimeRange } from '../domain/interval.ts';
import {
  type MaintenanceSpan,
  type MaintenanceWindow,
  occurrencesWithin,
} from '../domain/maintenance.ts';
import { unixSeconds } from '../lib/clock.ts';
import {
  type Refresh,
  type RefreshContext,
  type RefreshResult,
  result,
} from '../schedule/refresh.ts';

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

/**
 * Windows, and their occurrences from a day before the earliest time that is not counted yet, or before the
 * last reading: what was made or changed since then may reach back to it.
 */
export async function readMaintenance(
  { service, state, clock }: RefreshContext,
  signal: AbortSignal,
): Promise<RefreshResult> {
  const now = unixSeconds(clock);
  const readBefore = now - (state.ageSeconds('maintenance', 0) ?? 0);
  const windows = await service.listMaintenance(signal);
  const period = {
    fromSeconds: Math.min(state.earliestHorizonSeconds, Math.floor(readBefore)) - daySeconds,
    toSeconds: now + maintenanceAheadSeconds,
  };
  const occurrences = await occurrencesOf(windows.items, { service, period, signal });
  await state.learnMaintenance({ windows: windows.items, occurrences: occurrences.items });
  return result(windows.items.length, [...windows.rejected, ...occurrences.rejected]);
}

/** Without windows there are none to ask for. */
async function occurrencesOf(
  windows: readonly MaintenanceWindow[],
  {
    service,
    period,
    signal,
  }: Pick<RefreshContext, 'service'> & {
    readonly period: TimeRange;
    readonly signal: AbortSignal;
  },
): Promise<Listing<MaintenanceSpan>> {
  if (windows.length === 0) return { items: [], rejected: [] };
  if (service.capabilities.has('list_occurrences')) return service.listOccurrences(period, signal);
  return { items: windows.flatMap((window) => occurrencesWithin(window, period)), rejected: [] };
}

/** What only 2.x tells of the account: its clock and its reports. */
export function refreshAccount({
  service,
  state,
  clock,
  machineClock = clock,
}: RefreshContext): Refresh {
  return async (_id, signal) => {
    const serverTime = await service.serverTime(signal);
    const clockOffsetSeconds = serverTime - unixSeconds(machineClock);
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
