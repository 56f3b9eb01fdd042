import type { Check } from '../../domain/check.ts';
import type { OutageNote } from '../../slo/last-outages.ts';
import { StateChanges } from '../../slo/state-changes.ts';
import { openOutage, spansOf } from '../../slo/state-log.ts';
import type { CheckTotals } from './totals.ts';

/** An analysis may be listed this much later than the outage that it is about. */
export const analysesRereadSeconds = 86_400;

/** A check, and what is known of the causes of its outages. */
export interface ExplainedCheck {
  readonly entry: Check;
  readonly totals: CheckTotals;
  readonly details: { readonly notes?: { readonly value: readonly OutageNote[] } };
}

/**
 * Returns whether a counted outage has no counted analysis. Only outages of the day before the last
 * reading count, because each reading goes back a day. So the analyses are requested once more
 * after any downtime of the exporter.
 */
export function awaitsAnalysis(check: ExplainedCheck): boolean {
  const { states } = check.totals;
  // An outage that was open at first sight also awaits its analysis, for one day.
  const isYoung = states.horizonSeconds < states.startSeconds + analysesRereadSeconds;
  return (
    awaitsCounted(check.totals) || (isYoung && unexplainedSince(check, 'analysisId') !== undefined)
  );
}

function awaitsCounted({ states, log, analyses }: CheckTotals): boolean {
  const { atSeconds: readUntil, recent: known } = analyses.watermark;
  const slack = 2 * (states.resolutionSeconds ?? 0);
  const since = Math.min(readUntil, states.horizonSeconds) - analysesRereadSeconds;
  const changes = log?.changes ?? StateChanges.none;
  const outages = spansOf(changes, states.horizonSeconds).filter(({ state }) => state === 'down');
  return outages.some(({ fromSeconds, toSeconds }, place) => {
    // An analysis near two outages is that of the one in which it lies.
    const earliest = Math.max(fromSeconds - slack, outages[place - 1]?.toSeconds ?? 0);
    const next = outages[place + 1]?.fromSeconds ?? Number.POSITIVE_INFINITY;
    const end = Math.min(toSeconds + slack, next);
    return (
      fromSeconds > Math.max(states.startSeconds, since) &&
      !known.some(({ atSeconds }) => atSeconds >= earliest && atSeconds < end)
    );
  });
}

/**
 * The start of an open outage that began before the check was first seen and whose cause or
 * analysis, as `kind` selects, is not known. Results and analyses are counted only from first sight
 * on, so they do not explain it. Undefined without such an outage, or if its start is unknown.
 */
export function unexplainedSince(
  { entry, totals, details }: ExplainedCheck,
  kind: 'cause' | 'analysisId',
): number | undefined {
  if (entry.status !== 'down') return undefined;
  const { startSeconds, resolutionSeconds = 0 } = totals.states;
  const since = entry.lastDownStartAtSeconds ?? openOutage(totals)?.sinceSeconds;
  if (since === undefined || since > startSeconds) return undefined;
  const slack = 2 * resolutionSeconds;
  const notes = details.notes?.value ?? [];
  const isKnown = notes.some((note) => note[kind] !== undefined && note.atSeconds >= since - slack);
  return isKnown ? undefined : since;
}
