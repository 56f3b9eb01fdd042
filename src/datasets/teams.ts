import { type Refresh, result } from '../schedule/refresh.ts';
import type { RefreshContext } from './refresh-context.ts';

/** The teams of the account; only their size is shown. */
export function refreshTeams({ service, state }: RefreshContext): Refresh {
  return async (_id, signal) => {
    const { items, rejected } = await service.listTeams(signal);
    state.setAccountData({ teams: items });
    return result(items.length, rejected);
  };
}
