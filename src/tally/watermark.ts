import type { TimeRange } from '../domain/interval.ts';

/** Something that happened once, known by its time and a key. */
export interface TimedEntry {
  readonly atSeconds: number;
  readonly key: string;
}

/**
 * Up to where events have been counted. Events of the last stretch before it are remembered, so that
 * this stretch can be read again: what came late is then counted, what is repeated is not.
 */
export interface Watermark {
  readonly startSeconds: number;
  readonly atSeconds: number;
  readonly recent: readonly TimedEntry[];
}

/** What is younger is not asked for yet, because it may not be listed. Why so long: docs/decisions/0007. */
export const settlingLagSeconds = 120;

/**
 * How far back each reading goes behind the watermark. An event that is listed later than this and the
 * lag together (420 seconds) may be missed.
 */
export const rereadSeconds = 300;

/** One for all items. */
const noEntries: readonly TimedEntry[] = Object.freeze([]);

export function startWatermark(startSeconds: number): Watermark {
  return { startSeconds, atSeconds: startSeconds, recent: noEntries };
}

/** What to read next, at most `longestSeconds` of news; undefined while there is nothing settled to read. */
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

/**
 * The entries of a range that was read whole and are not counted yet, each once, oldest first, and the watermark
 * behind it. An entry outside the range belongs to another reading and is left out.
 */
export function passRange<E extends TimedEntry>(
  watermark: Watermark,
  { fromSeconds, toSeconds }: TimeRange,
  entries: readonly E[],
  reread = rereadSeconds,
): { readonly fresh: readonly E[]; readonly watermark: Watermark } {
  if (toSeconds <= watermark.atSeconds) return { fresh: [], watermark };
  const floor = Math.max(fromSeconds, watermark.startSeconds, watermark.atSeconds - reread);
  const counted = new Set(watermark.recent.map(identity));
  const fresh: E[] = [];
  for (const entry of entries) {
    if (entry.atSeconds < floor || entry.atSeconds >= toSeconds) continue;
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
