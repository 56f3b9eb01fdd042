import { unixSeconds } from '../lib/clock.ts';
import { type Refresh, result } from '../schedule/refresh.ts';
import type { RefreshContext } from './refresh-context.ts';

/** What only 2.x reports of the account: its clock and its reports. */
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
