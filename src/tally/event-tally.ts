import type { TimeRange } from '../domain/interval.ts';
import {
  type PassOptions,
  passRange,
  startWatermark,
  type TimedEntry,
  type Watermark,
} from './watermark.ts';

/** A labelled event: a sent alert (API 3.1, section 2.2) or a root cause analysis (2.3). */
export interface CountedEvent extends TimedEntry {
  readonly label: string;
}

/** The number of events by label. */
export interface EventTally {
  readonly watermark: Watermark;
  readonly counts: Readonly<Record<string, number>>;
}

export function startEventTally(startSeconds: number): EventTally {
  return { watermark: startWatermark(startSeconds), counts: {} };
}

/** Removes the counts of labels that `isKept` rejects. The same object if there are none. */
export function withLabels(tally: EventTally, isKept: (label: string) => boolean): EventTally {
  const counts = Object.entries(tally.counts);
  const kept = counts.filter(([label]) => isKept(label));
  return kept.length === counts.length ? tally : { ...tally, counts: Object.fromEntries(kept) };
}

export function countEvents(
  tally: EventTally,
  range: TimeRange,
  events: readonly CountedEvent[],
  options: PassOptions = {},
): EventTally {
  const { fresh, watermark } = passRange(tally.watermark, range, events, options);
  const counts = new Map(Object.entries(tally.counts));
  for (const { label } of fresh) counts.set(label, (counts.get(label) ?? 0) + 1);
  return { watermark, counts: Object.fromEntries(counts) };
}
