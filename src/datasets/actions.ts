import type { Action } from '../domain/action.ts';
import { type Refresh, result } from '../schedule/refresh.ts';
import { alertLabel } from '../state/alert-totals.ts';
import { type CountedEvent, countEvents } from '../tally/event-tally.ts';
import { nextRange } from '../tally/watermark.ts';
import type { RefreshContext } from './refresh-context.ts';

/** Reads the alerts that were sent since the watermark, for the whole account. */
export function refreshActions({ service, state, serviceTime }: RefreshContext): Refresh {
  return async (_id, signal, allRead) => {
    const { watermark } = state.alerts;
    const passed = serviceTime.passedSeconds();
    const range = nextRange(watermark, passed, Number.POSITIVE_INFINITY);
    if (range === undefined) {
      const isNew = watermark.atSeconds === watermark.startSeconds;
      // The watermark is stored now, so that after a restart the alerts since now count.
      if (isNew) await state.totals.commit(() => ({ alerts: state.alerts }));
      return { rejected: [], events: [] };
    }
    const { items, rejected } = await service.listActions(range, signal);
    allRead?.();
    const events = countable(items);
    await state.totals.commit(() => ({ alerts: countEvents(state.alerts, range, events) }));
    return result(items.length, rejected);
  };
}

/** Alerts have no identity, so equal alerts of the same second are numbered. */
function countable(actions: readonly Action[]): CountedEvent[] {
  const alike = new Map<string, number>();
  return actions.flatMap(({ atSeconds, checkId, via, status }) => {
    if (checkId === undefined) return [];
    const label = alertLabel(checkId, via, status);
    const twin = `${atSeconds} ${checkId} ${via}`;
    const number = alike.get(twin) ?? 0;
    alike.set(twin, number + 1);
    return { atSeconds, key: `${checkId} ${via} ${number}`, label };
  });
}
