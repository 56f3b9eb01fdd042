import type { MonitoringService, RejectedEntry } from '../api/service.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { AccountState } from '../state/account-state.ts';

/** Fetches one dataset and hands it to the state; rejects with an `ApiError` and then changes nothing. */
export type Refresh = (signal: AbortSignal) => Promise<readonly RejectedEntry[]>;

export function createRefreshes(
  service: MonitoringService,
  state: AccountState,
): { readonly [D in DatasetName]: Refresh } {
  return {
    checks: async (signal) => {
      const listing = await service.listChecks(signal);
      state.checksListed(listing.items);
      return listing.rejected;
    },
    credits: async (signal) => {
      state.creditsRead(await service.credits(signal));
      return [];
    },
  };
}
