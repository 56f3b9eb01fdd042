import { unixSeconds } from '../lib/clock.ts';
import { type ItemRefresh, result } from '../schedule/refresh.ts';
import type { RefreshContext } from './refresh-context.ts';

const daySeconds = 86_400;

/** How many probes tested one check in the last day. */
export function refreshActiveProbes({ service, state, clock }: RefreshContext): ItemRefresh {
  return async (id, signal) => {
    const toSeconds = unixSeconds(clock);
    const query = { checkId: id, fromSeconds: toSeconds - daySeconds, toSeconds };
    const { items, rejected } = await service.listActiveProbes(query, signal);
    state.setCheckDetail(id, 'activeProbes', items.length);
    return result(items.length, rejected);
  };
}
