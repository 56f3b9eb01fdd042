import type { Analysis } from '../domain/results.ts';
import { noChange, type Refresh, result } from '../schedule/refresh.ts';
import { type CountedEvent, countEvents } from '../tally/event-tally.ts';
import { nextRange } from '../tally/watermark.ts';
import { notesOfAnalyses } from '../windows/last-outages.ts';
import type { RefreshContext } from './refresh-context.ts';

/** The root cause analyses of one check since its watermark. */
export function refreshAnalyses({ service, state, serviceTime }: RefreshContext): Refresh {
  return async (id, signal) => {
    const record = state.checks.get(id);
    if (record === undefined) return noChange;
    const { watermark } = record.totals.analyses;
    const passed = serviceTime.passedSeconds();
    const range = nextRange(watermark, passed, Number.POSITIVE_INFINITY);
    if (range === undefined) return noChange;

    const { items, rejected } = await service.listAnalyses({ checkId: id, ...range }, signal);
    const events = items.flatMap(countable);
    await state.commit(() => {
      const latest = state.checks.get(id)?.totals;
      if (latest === undefined) return {};
      const analyses = countEvents(latest.analyses, range, events);
      return { checks: new Map([[id, { ...latest, analyses }]]) };
    });
    const notes = state.checks.get(id)?.details.notes?.value;
    const noted = notesOfAnalyses(notes, items);
    if (noted !== notes && noted.length > 0) state.setCheckDetail(id, 'notes', noted);
    return result(items.length, rejected);
  };
}

/** One without a time could not be told from one that was counted before. */
function countable(analysis: Analysis): CountedEvent[] {
  const atSeconds = analysis.confirmTestAtSeconds ?? analysis.firstTestAtSeconds;
  return atSeconds === undefined ? [] : [{ atSeconds, key: `${analysis.id}`, label: 'analysis' }];
}
