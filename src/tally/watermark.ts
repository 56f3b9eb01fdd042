import type { TimeRange } from '../domain/interval.ts';
import { type Whole, whole } from '../lib/whole.ts';

/** An event, identified by its time and a key. */
export interface TimedEntry {
  readonly atSeconds: number;
  readonly key: string;
}

/**
 * Events are counted up to this watermark. The events of a period before it are remembered, so that
 * the period can be read again: late events are then counted, repeated ones are not.
 */
export interface Watermark {
  readonly startSeconds: Whole;
  readonly atSeconds: Whole;
  readonly recent: readonly TimedEntry[];
}

/** Younger events may not be listed yet (docs/decisions/0007). */
export const settlingLagSeconds = 120;

/**
 * Each reading starts this long before the watermark. An event that is listed later than this plus
 * the settling lag (420 seconds together) may be missed.
 */
export const rereadSeconds = 300;

/** Shared by all items, to save memory. */
const noEntries: readonly TimedEntry[] = Object.freeze([]);

export function startWatermark(startSeconds: number): Watermark {
  const start = whole(startSeconds);
  return { startSeconds: start, atSeconds: start, recent: noEntries };
}

/** The next range to read, up to `longestSeconds`; undefined if nothing unread is settled. */
export function nextRange(
  watermark: Watermark,
  nowSeconds: number,
  longestSeconds: number,
  reread = rereadSeconds,
): TimeRange | undefined {
  const toSeconds = Math.min(nowSeconds - settlingLagSeconds, watermark.atSeconds + longestSeconds);
  if (toSeconds <= watermark.atSeconds) return undefined;
  return {
    fromSeconds: Math.max(watermark.startSeconds, watermark.atSeconds - reread),
    toSeconds,
  };
}

export interface PassOptions {
  /** Seconds before the watermark that are read again. */
  readonly reread?: number;
  /**
   * Entries after the range, up to this time, are counted too. Others of that time may not be
   * listed yet, so the watermark stays at the end of the range.
   */
  readonly readUntilSeconds?: number;
}

/**
 * The entries of a completely read range that are not counted yet, each once, oldest first, and the
 * watermark after the range. An entry outside the range belongs to another reading and is skipped.
 */
export function passRange<E extends TimedEntry>(
  watermark: Watermark,
  range: TimeRange,
  entries: readonly E[],
  { reread = rereadSeconds, readUntilSeconds = range.toSeconds }: PassOptions = {},
): { readonly fresh: readonly E[]; readonly watermark: Watermark } {
  const toSeconds = whole(range.toSeconds);
  if (toSeconds <= watermark.atSeconds) return { fresh: [], watermark };
  const floor = Math.max(range.fromSeconds, watermark.startSeconds, watermark.atSeconds - reread);
  const counted = new Set(watermark.recent.map(identity));
  const fresh: E[] = [];
  for (const entry of entries) {
    if (entry.atSeconds < floor || entry.atSeconds >= readUntilSeconds) continue;
    if (counted.has(identity(entry))) continue;
    counted.add(identity(entry));
    fresh.push(entry);
  }
  fresh.sort((a, b) => a.atSeconds - b.atSeconds);
  const recent = [...watermark.recent, ...fresh]
    .filter(({ atSeconds }) => atSeconds >= toSeconds - reread)
    .map(({ atSeconds, key }) => ({ atSeconds, key }));
  const kept = recent.length === 0 ? noEntries : recent;
  return { fresh, watermark: { ...watermark, atSeconds: toSeconds, recent: kept } };
}

function identity({ atSeconds, key }: TimedEntry): string {
  return `${atSeconds} ${key}`;
}
