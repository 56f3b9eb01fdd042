import type { Life, LifeEvent } from './script.ts';
import { overlap, type Range, type Span } from './truth.ts';

const hour = 3_600;
const day = 24 * hour;
/** Averages are whole milliseconds, and the weight of each hour or day is about its number of tests. */
const tolerance = 2;
/** Hourly reports that are read more rarely leave gaps. */
const rarely = 6 * day;

/** What a report shows of the response times of a check. */
export interface ResponseRow {
  readonly response_time_seconds?: number;
  readonly response_time_hours?: number;
  readonly slowest_day?: string;
  readonly slowest_day_response_time_seconds?: number;
}

interface ResponseTruth {
  readonly life: Life;
  readonly id: number;
  /** The part of the month in which the check existed. */
  readonly range: Range;
  readonly spans: readonly Span[];
  /** The days of the month by the zone of the report. */
  readonly days: readonly Range[];
}

/** Returns what is wrong with the response times of an ended month; undefined if nothing is. */
export function wrongResponse(row: ResponseRow, truth: ResponseTruth): string | undefined {
  const { life, range, spans, days } = truth;
  const { response_time_hours: hours = 0, response_time_seconds: seconds } = row;
  const up = (within: Range) =>
    spans.reduce((sum, span) => sum + (span.state === 'up' ? overlap(span, within) : 0), 0) / hour;
  const all = up(range);
  // An hour in which something was down is one that was measured.
  const most = (range.to - range.from) / hour + 1;
  if (hours > most) return `${hours} h were read of ${most}`;
  const owed = daysOwed(life, range);
  // One day may be lost, on which the offset of the zone changes.
  if (owed === 'all' && all - hours > 25) return `${hours} h were read of ${all} up`;
  if (owed === 'none' && hours > 8 * (day / hour)) return `${hours} h were read of other days`;
  if (seconds === undefined) return hours < 24 ? undefined : `${hours} h, and no average`;
  if (hours < all - 1) return undefined;
  const mean = meanOf(truth, range);
  if (Math.abs(1000 * seconds - mean) > tolerance) return `${1000 * seconds} ms, not ${mean}`;
  const { slowest_day: slowest, slowest_day_response_time_seconds: shown = 0 } = row;
  const means = days.map((one) => (up(one) < 13 ? 0 : meanOf(truth, one)));
  const slowestMean = Math.max(...means);
  if (slowestMean - 1000 * shown > tolerance)
    return `slowest ${1000 * shown} ms, not ${slowestMean}`;
  const place = Number(slowest?.slice(-2)) - 1;
  const ofDay = meanOf(truth, days[place] ?? range);
  if (Math.abs(1000 * shown - ofDay) > tolerance)
    return `${slowest}: ${1000 * shown}, not ${ofDay}`;
  return undefined;
}

/** Days are read within this time after the month, and after what hinders it. */
const mustBeRead = 4 * hour;
const harmless: readonly string[] = ['away', 'pause', 'create', 'down'];

/** Which response times must be read of a month in which nothing but these happened. */
function daysOwed({ script, now }: Life, { to }: Range): 'all' | 'none' | undefined {
  const { floorSeconds = 0, enabled = true } = script.datasets?.performance ?? {};
  const { zone, wire, events, minutes = 0 } = script;
  if (!enabled || floorSeconds < rarely || now - to < mustBeRead) return undefined;
  const isOver = (one: LifeEvent) =>
    60 * (minutes - one.at - ('minutes' in one ? one.minutes : 0)) >= mustBeRead;
  if (events.some((one) => !harmless.includes(one.kind) || !isOver(one))) return undefined;
  return wire?.timeZone === zone ? 'all' : 'none';
}

/** The average of all good tests, in milliseconds; 0 without any. */
function meanOf({ life, id }: ResponseTruth, { from, to }: Range): number {
  const { world } = life.world.sandbox;
  const check = world.check(id);
  let [sum, tests] = [0, 0];
  if (check === undefined) return 0;
  world.history.eachGoodTest(check, from, to, (time, _probe, milliseconds) => {
    if (time >= to) return;
    sum += milliseconds;
    tests += 1;
  });
  return tests === 0 ? 0 : sum / tests;
}
