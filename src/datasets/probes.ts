import { type Refresh, result } from '../schedule/refresh.ts';
import type { RefreshContext } from './refresh-context.ts';

/** The probes of the service. */
export function refreshProbes({ service, state }: RefreshContext): Refresh {
  return async (_id, signal) => {
    const { items, rejected } = await service.listProbes(signal);
    state.setAccountData({ probes: items });
    return result(items.length, rejected);
  };
}
