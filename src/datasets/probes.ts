import { type Refresh, type RefreshContext, result } from '../schedule/refresh.ts';

/** The probes of the service. */
export function refreshProbes({ service, state }: RefreshContext): Refresh {
  return async (_id, signal) => {
    const { items, rejected } = await service.listProbes(signal);
    state.setAccountData({ probes: items });
    return result(items.length, rejected);
  };
}
