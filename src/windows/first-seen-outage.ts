import type { CheckStatus } from '../domain/check.ts';
import type { OutageNote } from './last-outages.ts';
import { type KnownStates, openSince } from './state-history.ts';

interface DownCheck {
  readonly entry: { readonly status: CheckStatus; readonly lastDownStartAtSeconds?: number };
  readonly totals: KnownStates;
  readonly details: { readonly notes?: { readonly value: readonly OutageNote[] } };
}

/**
 * When the open outage of a check began that was down at first sight, while no note of this kind is known of it: what is
 * counted from first sight on does not reach back to it. Undefined where there is none, or nobody knows when it began.
 */
export function unexplainedSince(
  { entry, totals, details }: DownCheck,
  kind: 'cause' | 'analysisId',
): number | undefined {
  if (entry.status !== 'down') return undefined;
  const { startSeconds, resolutionSeconds = 0 } = totals.states;
  const since = entry.lastDownStartAtSeconds ?? openSince(totals);
  if (since === undefined || since > startSeconds) return undefined;
  const slack = 2 * resolutionSeconds;
  const notes = details.notes?.value ?? [];
  const isKnown = notes.some((note) => note[kind] !== undefined && note.atSeconds >= since - slack);
  return isKnown ? undefined : since;
}
