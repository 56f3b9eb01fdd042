import { z } from 'zod';
import type { PerformanceInterval } from '../domain/averages.ts';
import type { TimeRange } from '../domain/interval.ts';
import { amount, type TypeOf } from '../lib/schema.ts';

/** The number of hours that are stored: 30 days. */
const hoursKept = 720;
/** The hours of one request: a week. Longer hourly reports of transactions are refused. */
const hoursAsked = 168;
const hourSeconds = 3_600;
/** The largest value of two bytes, in milliseconds. */
const maxMilliseconds = 65_535;

/**
 * The average response times of an item by hour, up to 30 days. Each hour is two bytes, encoded in
 * base64, so that 25,000 items need little memory. The first response has a week.
 */
export const hourlyAveragesSchema = z.object({
  /** The first hour that was read; UNIX seconds. */
  startAtSeconds: amount,
  milliseconds: z.base64(),
});
export type HourlyAverages = TypeOf<typeof hourlyAveragesSchema>;

/**
 * The period to request, so that all hours up to `toSeconds` become known: the unknown hours, but
 * at least two hours, because these contain a whole one in every time zone.
 */
export function hoursToAsk(known: HourlyAverages | undefined, toSeconds: number): TimeRange {
  const oldest = toSeconds - hoursAsked * hourSeconds;
  const knownUntil = known === undefined ? oldest : readUntil(known);
  const fromSeconds = Math.min(Math.max(oldest, knownUntil), toSeconds - 2 * hourSeconds);
  return { fromSeconds, toSeconds };
}

/**
 * Adds a report's complete hours, which begin with the account's time zone. After a change of the
 * zone by a part of an hour, the known hours do not fit, and the averages begin with the report.
 */
export function averagesAfter(
  known: HourlyAverages | undefined,
  intervals: readonly PerformanceInterval[],
): HourlyAverages | undefined {
  const last = intervals.findLast(({ complete }) => complete);
  if (last === undefined) return known;
  const endAtSeconds = last.startAtSeconds + hourSeconds;
  const oldest = endAtSeconds - hoursKept * hourSeconds;
  const fits = (at: number) => (last.startAtSeconds - at) % hourSeconds === 0;
  const kept = known !== undefined && fits(known.startAtSeconds) ? known : undefined;
  const reported = intervals.find((interval) => fits(interval.startAtSeconds)) ?? last;
  // The first response may omit hours at its beginning in which no test was made. They count as
  // read.
  const begin =
    known === undefined ? endAtSeconds - hoursAsked * hourSeconds : reported.startAtSeconds;
  const first = kept?.startAtSeconds ?? begin;
  const startAtSeconds = Math.max(oldest, Math.min(first, last.startAtSeconds));
  const values = new Uint16Array((endAtSeconds - startAtSeconds) / hourSeconds);
  for (const [at, seconds] of kept === undefined ? [] : averagesOf(kept)) {
    put(values, (at - startAtSeconds) / hourSeconds, seconds);
  }
  for (const { startAtSeconds: at, complete, averageResponseTimeSeconds } of intervals) {
    if (complete) put(values, (at - startAtSeconds) / hourSeconds, averageResponseTimeSeconds);
  }
  return { startAtSeconds, milliseconds: Buffer.from(values.buffer).toString('base64') };
}

/**
 * The averages of a report, in runs of hours without a gap, whose unmeasured hours are 0. Another
 * run begins where the time zone of the account changes by a part of an hour.
 */
export function runsOf(intervals: readonly PerformanceInterval[]): HourlyAverages[] {
  const runs: PerformanceInterval[][] = [];
  for (const interval of intervals) {
    const run = runs.at(-1);
    const first = run?.[0]?.startAtSeconds ?? 0;
    if (run !== undefined && (interval.startAtSeconds - first) % hourSeconds === 0) {
      run.push(interval);
    } else {
      runs.push([interval]);
    }
  }
  return runs.map((run) => {
    const startAtSeconds = run[0]?.startAtSeconds ?? 0;
    const endAtSeconds = (run.at(-1)?.startAtSeconds ?? 0) + hourSeconds;
    const values = new Uint16Array((endAtSeconds - startAtSeconds) / hourSeconds);
    for (const { startAtSeconds: at, averageResponseTimeSeconds } of run) {
      put(values, (at - startAtSeconds) / hourSeconds, averageResponseTimeSeconds);
    }
    return { startAtSeconds, milliseconds: Buffer.from(values.buffer).toString('base64') };
  });
}

/** The start of each hour that has measurements, and its average in seconds. */
export function averagesOf({ startAtSeconds, milliseconds }: HourlyAverages): [number, number][] {
  const bytes = Buffer.from(milliseconds, 'base64');
  const averages: [number, number][] = [];
  for (let place = 0; place * 2 + 1 < bytes.length; place++) {
    const value = bytes.readUInt16LE(place * 2);
    if (value > 0) averages.push([startAtSeconds + place * hourSeconds, value / 1000]);
  }
  return averages;
}

/** The end of the last hour that was read, in UNIX seconds. */
export function readUntil({ startAtSeconds, milliseconds }: HourlyAverages): number {
  return startAtSeconds + (Buffer.byteLength(milliseconds, 'base64') / 2) * hourSeconds;
}

function put(values: Uint16Array, place: number, seconds: number | undefined): void {
  if (!Number.isInteger(place) || place < 0 || place >= values.length) return;
  if (seconds !== undefined) {
    values[place] = Math.min(maxMilliseconds, Math.max(1, Math.round(seconds * 1000)));
  }
}
