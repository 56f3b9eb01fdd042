import { unixSeconds } from '../../lib/clock.ts';
import { countResults } from '../../tally/result-tally.ts';
import { nextRange, type TimeRange } from '../../tally/watermark.ts';
import { nothingNew, type Refresh, type RefreshContext } from './refresh.ts';

const shortestReachSeconds = 3_600;
/** A reply holds 1,000 results (API 3.1, section 4.4); some room is left for those that are read again. */
const resultsAtOnce = 900;

/** The raw results of one check since its watermark, one reply at a time. */
export function refreshResults(context: RefreshContext): Refresh {
  const { service, state, clock, responseTimeBounds } = context;

  return async (id, signal) => {
    const record = state.checks.get(id);
    if (record === undefined) return nothingNew;
    const { entry, totals } = record;
    const reach = resultsAtOnce * (entry.resolutionSeconds ?? 60);
    const now = unixSeconds(clock);
    const range = nextRange(totals.results.watermark, now, Math.max(shortestReachSeconds, reach));
    if (range === undefined) return nothingNew;

    const untested = (entry.lastTestAtSeconds ?? 0) < range.fromSeconds;
    const { items, rejected } = untested
      ? { items: [], rejected: [] }
      : await service.listResults(queryOf(id, range), signal);
    await state.book(() => {
      const latest = state.checks.get(id)?.totals;
      if (latest === undefined) return {};
      const results = countResults(latest.results, range, items, responseTimeBounds);
      return { checks: new Map([[id, { ...latest, results }]]) };
    });
    const behind = nextRange({ ...totals.results.watermark, atSeconds: range.toSeconds }, now, 1);
    const entries = items.length;
    return { rejected, entries, events: behind === undefined ? [] : [{ dataset: 'results', id }] };
  };
}

function queryOf(checkId: number, { fromSeconds, toSeconds }: TimeRange) {
  return { checkId, fromSeconds, toSeconds };
}
