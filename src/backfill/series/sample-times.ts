import type { StateSpan, TimeRange } from '../../domain/interval.ts';

/** Seconds between samples. */
export const fineStepSeconds = 300;
export const coarseStepSeconds = 3_600;
/** The last days before the job have the fine step throughout. */
export const fineSeconds = 30 * 86_400;

/** The time from which samples have the fine step, for a job that began at a time. */
export function fineFromOf(requestedAtSeconds: number): number {
  const from = requestedAtSeconds - fineSeconds;
  return from - (from % coarseStepSeconds);
}

/** The past of one item, and the beginning of its live counters. */
interface SampledPast {
  readonly range: TimeRange;
  /** The live counters begin at 0 at this time. */
  readonly firstSeenSeconds: number;
  readonly spans: readonly StateSpan[];
}

/**
 * The times of the samples of a past within `[fromSeconds, toSeconds)`, in order: the beginning,
 * each step, and the end. A step is an hour, or 5 minutes after `fineFromSeconds` and in hours in
 * which a state changed. The end is a millisecond before the live counters begin, so that their
 * first 0 has its own time.
 */
export function sampleTimes(
  { range, firstSeenSeconds, spans }: SampledPast,
  { fromSeconds, toSeconds }: TimeRange,
  fineFromSeconds: number,
): number[] {
  const times: number[] = [];
  const from = Math.max(range.fromSeconds, fromSeconds);
  const to = Math.min(range.toSeconds, toSeconds);
  const begins = spans.slice(1).map((span) => span.fromSeconds);
  const changes = begins.filter((at) => at >= from && at < to);
  if (range.fromSeconds >= fromSeconds && range.fromSeconds < toSeconds) times.push(from);
  for (let hour = floor(from, coarseStepSeconds); hour < to; hour += coarseStepSeconds) {
    const end = hour + coarseStepSeconds;
    const isFine = end > fineFromSeconds || changes.some((at) => at > hour && at < end);
    const step = isFine ? fineStepSeconds : coarseStepSeconds;
    for (let at = hour; at < end; at += step) {
      if (at > (times.at(-1) ?? from - 1) && at >= from && at < to) times.push(at);
    }
  }
  const last = Math.min(range.toSeconds, firstSeenSeconds - 0.001);
  if (last >= fromSeconds && last < toSeconds && last > (times.at(-1) ?? 0)) times.push(last);
  return times;
}

function floor(seconds: number, step: number): number {
  return seconds - (seconds % step);
}
