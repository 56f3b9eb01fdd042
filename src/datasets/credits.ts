import { type Refresh, result } from '../schedule/refresh.ts';
import type { RefreshContext } from './refresh-context.ts';

/** What the account has left of its plan (API 3.1, section 2.3). */
export function refreshCredits({ service, state }: RefreshContext): Refresh {
  return async (_id, signal) => {
    state.setAccountData({ credits: await service.credits(signal) });
    return result(1);
  };
}
