import type { TimeRange } from '../../domain/interval.ts';
import type { LabelledPast } from './open-metrics.ts';
import type { HistoryManifest, OutputFolder } from './output-folder.ts';
import type { Progress } from './progress.ts';

const daySeconds = 86_400;

interface WriteDaysOptions {
  readonly folder: OutputFolder;
  readonly manifest: HistoryManifest;
  readonly pasts: readonly LabelledPast[];
  /** Resolves with the bytes of a day, such as `2025-11-01`, when they are where they belong. */
  readonly writeDay: (day: string, within: TimeRange) => Promise<number>;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Writes each day of UTC that is not written already. Returns the bytes that were written. */
export async function writeDays(options: WriteDaysOptions): Promise<number> {
  const { folder, manifest, pasts, writeDay, progress, signal } = options;
  const days = daysOf(pasts);
  const done = new Set(manifest.days);
  let bytes = 0;
  for (const [place, within] of days.entries()) {
    signal.throwIfAborted();
    const day = dayText(within.fromSeconds);
    if (!done.has(day)) {
      bytes += await writeDay(day, within);
      done.add(day);
      await folder.storeManifest({ ...manifest, days: [...done] });
    }
    progress.written(place + 1, days.length);
  }
  progress.end();
  return bytes;
}

/** Whether every day of the pasts is written. */
export function isComplete(manifest: HistoryManifest, pasts: readonly LabelledPast[]): boolean {
  const done = new Set(manifest.days);
  return daysOf(pasts).every(({ fromSeconds }) => done.has(dayText(fromSeconds)));
}

function dayText(fromSeconds: number): string {
  return new Date(fromSeconds * 1000).toISOString().slice(0, 10);
}

/** From the first beginning to the last end, the first sight included. */
function daysOf(pasts: readonly LabelledPast[]): TimeRange[] {
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const { past } of pasts) {
    from = Math.min(from, past.range.fromSeconds);
    to = Math.max(to, past.firstSeenSeconds);
  }
  const days: TimeRange[] = [];
  for (let start = from - (from % daySeconds); start <= to; start += daySeconds) {
    days.push({ fromSeconds: start, toSeconds: start + daySeconds });
  }
  return days;
}
