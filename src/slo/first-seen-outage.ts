import type { CheckStatus } from '../domain/check.ts';
import type { OutageNote } from './last-outages.ts';
import { type KnownStates, openOutage } from './state-log.ts';

interface DownCheck {
  readonly entry: { readonly status: CheckStatus; readonly lastDownStartAtSeconds?: number };
  readonly totals: KnownStates;
  readonly details: { readonly notes?: { readonly value: readonly OutageNote[] } };
}

/**
 * The start of an open outage that began before the check was first seen and whose cause or
 * analysis, as `kind` selects, is not known. Results and analyses are counted only from first sight
 * on, so they do not explain it. Undefined without such an outage, or if its start is unknown.
 */
export function unexplainedSince(
  { entry, totals, details }: DownCheck,
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
