import type { TimeRange } from '../../domain/interval.ts';
import type { Progress } from '../../remote/progress.ts';
import type { LabelledPast } from './open-metrics.ts';
import type { HistoryManifest, OutputFolder } from './output-folder.ts';

const daySeconds = 86_400;

interface WriteDaysOptions {
  readonly folder: OutputFolder;
  readonly manifest: HistoryManifest;
  readonly pasts: readonly LabelledPast[];
  /** Resolves with the size in bytes when a day, such as `2025-11-01`, is at its destination. */
  readonly writeDay: (day: string, within: TimeRange) => Promise<number>;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** What was written now, and all days that are written. */
interface WrittenDays {
  readonly bytes: number;
  readonly days: string[];
}

/** Writes each UTC day that is not yet written. */
export async function writeDays(options: WriteDaysOptions): Promise<WrittenDays> {
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
      progress.written(place + 1, days.length);
    }
  }
  progress.end();
  return { bytes, days: [...done] };
}

/** Whether every day of the pasts is written. */
export function areAllWritten(manifest: HistoryManifest, pasts: readonly LabelledPast[]): boolean {
  const done = new Set(manifest.days);
  return daysOf(pasts).every(({ fromSeconds }) => done.has(dayText(fromSeconds)));
}

function dayText(fromSeconds: number): string {
  return new Date(fromSeconds * 1000).toISOString().slice(0, 10);
}

/** The names of the UTC days of a range, including its end. */
export function daysWithin(range: TimeRange): string[] {
  return daysFrom(range).map(({ fromSeconds }) => dayText(fromSeconds));
}

/** From the earliest start to the latest end, including the first sight. */
function daysOf(pasts: readonly LabelledPast[]): TimeRange[] {
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const { past } of pasts) {
    from = Math.min(from, past.range.fromSeconds);
    to = Math.max(to, past.firstSeenSeconds);
  }
  return daysFrom({ fromSeconds: from, toSeconds: to });
}

function daysFrom({ fromSeconds: from, toSeconds: to }: TimeRange): TimeRange[] {
  const days: TimeRange[] = [];
  for (let start = from - (from % daySeconds); start <= to; start += daySeconds) {
    days.push({ fromSeconds: start, toSeconds: start + daySeconds });
  }
  return days;
}
