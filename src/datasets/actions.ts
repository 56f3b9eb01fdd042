import type { RejectedEntry } from '../api/service.ts';
import type { Action } from '../domain/action.ts';
import { type Refresh, result, tooEarly } from '../schedule/refresh.ts';
import { alertLabel } from '../state/alert-totals.ts';
import { type CountedEvent, countEvents } from '../tally/event-tally.ts';
import { nextRange } from '../tally/watermark.ts';
import type { RefreshContext } from './refresh-context.ts';

/**
 * Each reading starts this long before the watermark. An alert that is listed within a quarter of an
 * hour is counted; a longer time would cost more result pages while many checks are down.
 */
const rereadAlertsSeconds = 900;
/** What becomes of an alert may be known later than that it was sent. Older ones are final. */
const outcomeSeconds = 900;

/** Reads the alerts that were sent since the watermark, for the whole account. */
export function refreshActions({ service, state, serviceTime }: RefreshContext): Refresh {
  return async (_id, signal, allRead) => {
    const { watermark } = state.alerts;
    const passed = serviceTime.passedSeconds();
    const range = nextRange(watermark, passed, Number.POSITIVE_INFINITY, rereadAlertsSeconds);
    if (range === undefined) {
      const isNew = watermark.atSeconds === watermark.startSeconds;
      // The watermark is stored now, so that after a restart the alerts since now count.
      if (isNew) await state.totals.commit(() => ({ alerts: state.alerts }));
      return tooEarly;
    }
    // Alerts are counted when their outcome is first read. Late ones are found when the last minutes
    // are read again.
    const { items, rejected } = await service.listActions({ ...range, toSeconds: passed }, signal);
    allRead?.();
    const isFinal = ({ status, atSeconds }: Action) =>
      (status !== 'pending' && status !== 'sent') || atSeconds < passed - outcomeSeconds;
    const events = countable(items.filter(isFinal));
    const unlisted = items.filter(
      ({ atSeconds, checkId }) =>
        atSeconds >= watermark.atSeconds &&
        atSeconds < range.toSeconds &&
        checkId !== undefined &&
        !state.checks.isKept(checkId),
    );
    await state.totals.commit(() => ({
      alerts: countEvents(state.alerts, range, events, {
        reread: rereadAlertsSeconds,
        readUntilSeconds: passed,
      }),
    }));
    return result(items.length, [...rejected, ...unlisted.map(() => notListed)]);
  };
}

/** An alert of a check that was removed, of a transaction, or of a check that the filter excludes. */
const notListed: RejectedEntry = {
  reason: 'not_listed',
  detail: 'an alert belongs to no listed check',
};

/** Alerts have no identity, so equal alerts of the same second are numbered. */
function countable(actions: readonly Action[]): CountedEvent[] {
  const alike = new Map<string, number>();
  return actions.flatMap(({ atSeconds, checkId, via, status }) => {
    if (checkId === undefined) return [];
    const label = alertLabel(checkId, via, status);
    const twin = `${atSeconds} ${label}`;
    const number = alike.get(twin) ?? 0;
    alike.set(twin, number + 1);
    return { atSeconds, key: `${label} ${number}`, label };
  });
}
