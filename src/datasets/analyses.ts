import type { Analysis } from '../domain/results.ts';
import { type ItemRefresh, nothingLeft, result } from '../schedule/refresh.ts';
import { notesOfAnalyses } from '../slo/last-outages.ts';
import { analysesRereadSeconds } from '../state/items/lacked-causes.ts';
import { type CountedEvent, countEvents } from '../tally/event-tally.ts';
import { nextRange } from '../tally/watermark.ts';
import type { RefreshContext } from './refresh-context.ts';

/** Reads the root cause analyses of one check since its watermark, and of a requested outage. */
export function refreshAnalyses(context: RefreshContext): ItemRefresh {
  const { service, state, serviceTime, clock } = context;
  return async (id, signal, allRead) => {
    const record = state.checks.get(id);
    if (record === undefined) return nothingLeft;
    const { watermark } = record.totals.analyses;
    const passed = serviceTime.passedSeconds();
    const range = nextRange(watermark, passed, Number.POSITIVE_INFINITY, analysesRereadSeconds);
    const wanted = state.causes.wantedAnalyses(record);
    if (range === undefined && wanted === undefined) return nothingLeft;

    const { toSeconds = passed, fromSeconds = toSeconds } = range ?? {};
    const earliest = Math.min(fromSeconds, wanted?.fromSeconds ?? fromSeconds);
    const asked = { fromSeconds: earliest, toSeconds };
    const { items, rejected } = await service.listAnalyses({ checkId: id, ...asked }, signal);
    allRead?.();
    const events = items.flatMap(countable);
    if (range !== undefined) {
      await state.totals.commitCheck(id, (latest) => ({
        ...latest,
        analyses: countEvents(latest.analyses, range, events, {
          reread: analysesRereadSeconds,
        }),
      }));
    }
    const notes = state.checks.get(id)?.details.notes?.value;
    const noted = notesOfAnalyses(notes, items);
    if (noted !== notes && noted.length > 0) state.setDetail('check', id, 'notes', noted);
    state.causes.analysesRead(record, wanted?.asked, clock.monotonic());
    return result(items.length, rejected);
  };
}

/**
 * The time of an analysis is the start of its outage, as in the service's list. An analysis without
 * a time is not counted, because it could have been counted before.
 */
function countable(analysis: Analysis): CountedEvent[] {
  const atSeconds = analysis.firstTestAtSeconds ?? analysis.confirmTestAtSeconds;
  return atSeconds === undefined ? [] : [{ atSeconds, key: `${analysis.id}`, label: 'analysis' }];
}
