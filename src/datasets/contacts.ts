import { type Refresh, result } from '../schedule/refresh.ts';
import type { RefreshContext } from './refresh-context.ts';

/** Who is notified of failures; only counted. */
export function refreshContacts({ service, state }: RefreshContext): Refresh {
  return async (_id, signal) => {
    const { items, rejected } = await service.listContacts(signal);
    state.setAccountData({ contacts: items });
    return result(items.length, rejected);
  };
}
