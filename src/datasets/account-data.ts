import type { Listing } from '../api/service.ts';
import type { AccountData } from '../domain/account.ts';
import type { DatasetName } from '../domain/dataset.ts';
import { unixSeconds } from '../lib/clock.ts';
import { type Refresh, result } from '../schedule/refresh.ts';
import type { RefreshContext } from './refresh-context.ts';

/** Datasets of the whole account that are stored unchanged, in fields of `AccountData`. */
export function accountDataRefreshes(context: RefreshContext) {
  const { service, state } = context;

  function value(read: (signal: AbortSignal) => Promise<AccountData>): Refresh {
    return async (_id, signal) => {
      state.setAccountData(await read(signal));
      return result(1);
    };
  }

  function list<T>(
    read: (signal: AbortSignal) => Promise<Listing<T>>,
    keep: (items: readonly T[]) => AccountData,
  ): Refresh {
    return async (_id, signal) => {
      const { items, rejected } = await read(signal);
      state.setAccountData(keep(items));
      return result(items.length, rejected);
    };
  }

  return {
    /** The remaining checks and messages of the account's plan (API 3.1, section 2.3). */
    credits: value(async (signal) => ({ credits: await service.credits(signal) })),
    probes: list(
      (signal) => service.listProbes(signal),
      (probes) => ({ probes }),
    ),
    /** The people who are notified of failures. Only their number is shown. */
    contacts: list(
      (signal) => service.listContacts(signal),
      (contacts) => ({ contacts }),
    ),
    /** Only the size of each team is shown. */
    teams: list(
      (signal) => service.listTeams(signal),
      (teams) => ({ teams }),
    ),
    account: refreshAccount(context),
  } satisfies Partial<Record<DatasetName, Refresh>>;
}

/** Reads the service's clock and the reports of the account, which only API 2.x has. */
function refreshAccount(context: RefreshContext): Refresh {
  const { service, state, machineClock } = context;
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
