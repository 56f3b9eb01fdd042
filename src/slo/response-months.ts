import { z } from 'zod';
import type { PerformanceInterval } from '../domain/averages.ts';
import type { Month, MonthCalendar } from '../lib/month-calendar.ts';
import { present } from '../lib/present.ts';
import { amount, optional, type TypeOf } from '../lib/schema.ts';
import { placeAt } from '../lib/zoned-times.ts';

const hourSeconds = 3_600;
/** The present month, and the one before, whose last hours are read late. */
const monthsHeld = 2;
/** A day is compared with others if at least half of its hours are known. */
const leastHours = 12;
/** Of fewer hours, an average says more about the hours than about the item. */
export const leastAveraged = 24;

const none = { hours: 0, tests: 0, milliseconds: 0 };

const sums = {
  /** Measured hours; with less than a run an hour, also those until the next run. */
  hours: amount,
  /** About the number of their tests: the seconds up divided by the time between two tests. */
  tests: amount,
  /** The sum of the response times of these tests. */
  milliseconds: amount,
};

const responseMonth = z.object({
  ...sums,
  fromSeconds: amount,
  /** Its days were read, whether or not they have more hours than were read by themselves. */
  isReadByDay: z.literal(true).exactOptional(),
  /** The place of the slowest day in the month, from 0, and its average. */
  slowestDay: optional.amount,
  slowestMilliseconds: optional.amount,
});

/**
 * The response times of an item by month, summed as its hours arrive. An hour belongs to the day and
 * the month in which it begins.
 */
export const responseMonthsSchema = z.object({
  /** Hours that begin before this time were counted; UNIX seconds. */
  untilSeconds: amount,
  /** Oldest first. */
  months: z.array(responseMonth),
  /** The last day of the last month, by its place. */
  day: z.object({ ...sums, place: amount }),
});
export type ResponseMonths = TypeOf<typeof responseMonthsSchema>;

/** The response times of an item in a month, as far as its hours were read. */
export type ResponseMonth = Omit<TypeOf<typeof responseMonth>, 'fromSeconds' | 'isReadByDay'>;

interface Sums {
  readonly hours: number;
  readonly tests: number;
  readonly milliseconds: number;
}

/** Adds the complete hours of a report that are not counted yet. Times are in UNIX seconds. */
export function responseMonthsAfter(
  known: ResponseMonths | undefined,
  hours: readonly PerformanceInterval[],
  calendar: Pick<MonthCalendar, 'containing' | 'dayBegins'>,
  resolutionSeconds: number,
): ResponseMonths | undefined {
  const hoursOfRun = Math.max(1, Math.round(resolutionSeconds / hourSeconds));
  let after = known;
  let month: Month | undefined;
  for (const hour of hours) {
    const { startAtSeconds: at, complete, averageResponseTimeSeconds: average } = hour;
    if (!complete || average === undefined || at < (after?.untilSeconds ?? 0)) continue;
    if (month === undefined || at >= month.toSeconds) month = calendar.containing(at);
    const tests = Math.max(1, Math.round((hour.upSeconds ?? hourSeconds) / resolutionSeconds));
    const sum = { hours: hoursOfRun, tests, milliseconds: Math.round(average * 1000 * tests) };
    const place = placeAt(calendar.dayBegins(month), at);
    after = withHour(after, { fromSeconds: month.fromSeconds, place }, at + hourSeconds, sum);
  }
  return after;
}

/**
 * The ended month as the days of a report have it, if these have more hours than were read of it.
 * Further hours of the month are not counted.
 */
export function withResponseDays(
  known: ResponseMonths | undefined,
  { fromSeconds, toSeconds }: Pick<Month, 'fromSeconds' | 'toSeconds'>,
  days: readonly ResponseDay[],
): ResponseMonths {
  const { months = [], day, untilSeconds = 0 } = known === undefined ? {} : withLastDay(known);
  const read = months.find((month) => month.fromSeconds === fromSeconds);
  const report = days.reduce((month, { place, ...sum }) => {
    const one = { ...sum, ...slowestOf({ place, ...sum }) };
    return joinedResponses(month, one);
  }, none);
  const isMore = report.hours > (read?.hours ?? 0);
  const ended = { ...(isMore ? report : (read ?? none)), fromSeconds, isReadByDay: true } as const;
  const others = months.filter((month) => month !== read);
  const isLast = others.every((month) => month.fromSeconds < fromSeconds);
  return {
    untilSeconds: Math.max(untilSeconds, toSeconds),
    months: [...others, ended].sort((a, b) => a.fromSeconds - b.fromSeconds).slice(-monthsHeld),
    day: isLast || day === undefined ? { ...none, place: 0 } : day,
  };
}

/** Whether the days of the month were read. */
export function isReadByDay(
  known: ResponseMonths | undefined,
  { fromSeconds }: Pick<Month, 'fromSeconds'>,
): boolean {
  return known?.months.some((one) => one.fromSeconds === fromSeconds && one.isReadByDay) === true;
}

/** A day of a month, by its place. */
type ResponseDay = ResponseMonths['day'];

/**
 * The days of a report that are days of the month, of which `begins` are the begins: with another
 * time zone, the days of the service begin and end at other times.
 */
export function responseDaysOf(
  report: readonly PerformanceInterval[],
  { toSeconds }: Pick<Month, 'toSeconds'>,
  begins: readonly number[],
  resolutionSeconds: number,
): readonly ResponseDay[] {
  const placeOf = new Map(begins.map((begin, place) => [begin, place]));
  return report.flatMap((day, index) => {
    const { startAtSeconds, averageResponseTimeSeconds: average, upSeconds = 0 } = day;
    const { downSeconds = 0, unmonitoredSeconds = 0 } = day;
    const place = placeOf.get(startAtSeconds);
    if (place === undefined || average === undefined || upSeconds === 0) return [];
    const end = begins[place + 1] ?? toSeconds;
    const isLonger = upSeconds + downSeconds + unmonitoredSeconds > end - startAtSeconds;
    const next = report[index + 1]?.startAtSeconds ?? end;
    if (isLonger || next < end) return [];
    const hours = Math.max(1, Math.round(upSeconds / hourSeconds));
    const tests = Math.max(1, Math.round(upSeconds / resolutionSeconds));
    return [{ place, hours, tests, milliseconds: Math.round(average * 1000 * tests) }];
  });
}

/** Undefined if no hour of the month was read. */
export function responseMonthOf(
  known: ResponseMonths | undefined,
  { fromSeconds }: Pick<Month, 'fromSeconds'>,
): ResponseMonth | undefined {
  const { months } = known === undefined ? { months: [] } : withLastDay(known);
  const found = months.find((month) => month.fromSeconds === fromSeconds);
  if (found === undefined || found.hours === 0) return undefined;
  const { fromSeconds: _, isReadByDay: __, ...month } = found;
  return month;
}

/** The average response time in a month, in seconds; undefined if less than a day of it is known. */
export function responseSeconds(times: ResponseMonth | undefined): number | undefined {
  if (times === undefined || times.hours < leastAveraged) return undefined;
  return Math.round(times.milliseconds / times.tests) / 1000;
}

/** Of two times in a row. */
export function joinedResponses(a: ResponseMonth, b: ResponseMonth): ResponseMonth {
  const isLater = (b.slowestMilliseconds ?? 0) > (a.slowestMilliseconds ?? 0);
  const { slowestDay, slowestMilliseconds } = isLater ? b : a;
  return present({ ...added(a, b), slowestDay, slowestMilliseconds });
}

function withHour(
  known: ResponseMonths | undefined,
  { fromSeconds, place }: { readonly fromSeconds: number; readonly place: number },
  untilSeconds: number,
  hour: Sums,
): ResponseMonths {
  const isSameMonth = known?.months.at(-1)?.fromSeconds === fromSeconds;
  const isSameDay = isSameMonth && known?.day.place === place;
  const { months = [] } = known === undefined || isSameDay ? { ...known } : withLastDay(known);
  const month = isSameMonth ? months.at(-1) : undefined;
  const others = isSameMonth ? months.slice(0, -1) : months;
  return {
    untilSeconds,
    months: [...others, { ...month, fromSeconds, ...added(month, hour) }].slice(-monthsHeld),
    day: { place, ...added(isSameDay ? known?.day : undefined, hour) },
  };
}

/** With the last day compared with those before it. */
function withLastDay(known: ResponseMonths): ResponseMonths {
  const { months, day } = known;
  const month = months.at(-1);
  const slowest = slowestOf(day);
  if (month === undefined || slowest === undefined) return known;
  if ((month.slowestMilliseconds ?? 0) >= slowest.slowestMilliseconds) return known;
  return { ...known, months: [...months.slice(0, -1), { ...month, ...slowest }] };
}

/** The slowest day, if there is only this one; undefined if too little of it is known. */
function slowestOf({ place, hours, tests, milliseconds }: ResponseDay) {
  if (hours < leastHours) return undefined;
  return { slowestDay: place, slowestMilliseconds: Math.round(milliseconds / tests) };
}

function added(a: Sums | undefined, b: Sums): Sums {
  return {
    hours: (a?.hours ?? 0) + b.hours,
    tests: (a?.tests ?? 0) + b.tests,
    milliseconds: (a?.milliseconds ?? 0) + b.milliseconds,
  };
}
