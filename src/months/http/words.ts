import { displayText, formatDecimal, formatResponse, plural } from '../../http/common/format.tsx';
import type { UnreadAccount } from '../../http/common/unread-accounts.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { type ZonedTimes, zonedTimes } from '../../lib/zoned-times.ts';
import type { DaysNotRead } from '../documents.ts';
import { endNames, isRange } from '../month-range.ts';
import type { MonthReport } from '../report.ts';
import type { Carried, ReportRow, ResponseTimes } from '../report-row.ts';
import { comparableOf, comparableResponse, type Sums } from '../sums.ts';

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export function monthTitle(name: string): string {
  if (isRange({ name })) return endNames({ name }).map(monthTitle).join(' to ');
  const [year, month] = name.split('-');
  return `${monthNames[Number(month) - 1]} ${year}`;
}

/** Such as `Oct 2026`. */
export function shortMonthTitle(name: string): string {
  return monthTitle(name).replace(/^(\w{3})\w*/, '$1');
}

/** Rounded down, with as many digits as the objective can have. Only a whole share is 100 %. */
export function formatAvailability(share: number): string {
  return `${(Math.floor(share * 1e5 + 1e-6) / 1e3).toFixed(3).replace(/\.?0+$/, '')} %`;
}

/** The name of a line, with what tells it from others of this name. */
export function nameText(
  { name, distinction, account }: Pick<ReportRow, 'name' | 'distinction' | 'account'>,
  { facts }: MonthReport,
): string {
  const of = [distinction, facts.accounts.size > 1 ? account : undefined];
  const texts = of.flatMap((fact) => (fact === undefined ? [] : displayText(fact)));
  return `${displayText(name)}${texts.length === 0 ? '' : ` (${texts.join(', ')})`}`;
}

/** From when to when it is. */
export function rangeText({ month }: MonthReport): string {
  const { fromSeconds, toSeconds, zone } = month;
  const times = zonedTimes(zone);
  return `${times.text(fromSeconds)} to ${times.text(toSeconds)}, months of the time zone ${zone}.`;
}

/** How the report was made. */
export function leadText(report: MonthReport): string {
  const { state, items } = report;
  if (items.length === 0) return '';
  const texts = [
    state === 'present' ? presentText(report) : namesText(report),
    missingText(report),
    leftOutText(report),
    ...responsesTexts(report),
  ];
  return [...texts, 'Availability is without maintenance.'].filter(Boolean).join(' ');
}

function presentText({ month, countedUntilSeconds }: MonthReport): string {
  const until = `Counted until ${zonedTimes(month.zone).text(countedUntilSeconds)}`;
  return isRange(month)
    ? `${until}, with the names and groups of now, and the objectives of each month.`
    : `${until}, with the names, groups and objectives of now.`;
}

/** The groups that have no row, because of `max_groups`. */
function leftOutText({ groupsLeftOut: names }: MonthReport): string {
  if (names.length === 0) return '';
  const named = listText(names, displayText);
  return `${plural(names.length, 'more group is', 'more groups are')} left out, because of max_groups: ${named}.`;
}

/** Why no line has a response time, or some are of few days. */
function responsesTexts({ facts, daysNotRead, month }: MonthReport): readonly string[] {
  const { hasResponses, wasUp, readDay } = facts;
  if (!hasResponses && !wasUp) return [];
  const whyFew: Readonly<Record<Exclude<DaysNotRead, 'not read yet'>, string>> = {
    'too few requests': 'the request limits leave too little for the others',
    'other time zone': `the days of the service are not those of the time zone ${month.zone} (report.time_zone)`,
  };
  const few = [...daysNotRead].flatMap((why) => (why === 'not read yet' ? [] : whyFew[why]));
  const texts: string[] = [];
  if (!hasResponses) {
    const why = ['less than a day of this time was read', ...few].join(', and ');
    const ofRead = 'Response times are absent of a month that was read afterwards.';
    texts.push(readDay === undefined ? `Response times are absent: ${why}.` : ofRead);
  } else if (few.length > 0) {
    texts.push(`Response times are those of some days only: ${few.join(', and ')}.`);
  }
  if (daysNotRead.has('not read yet')) texts.push('Response times of some checks are being read.');
  return texts;
}

/** Why an item that was up has no response time, where others have one. */
export function noResponseText({
  kind,
  up,
  response,
  responseHours,
}: ReportRow): string | undefined {
  if (response !== undefined || kind === 'group' || up === 0) return undefined;
  return responseHours > 0 ? 'less than a day was read' : 'not read';
}

/** Such as `of 12 d`, if they are less than nine tenths of the hours in which it can have been tested. */
export function responseRestText(row: ReportRow): string | undefined {
  const { up, down, awaited, unwatched, responseHours } = row;
  const seconds = 3_600 * responseHours;
  return seconds < 0.9 * (up + down + awaited + unwatched)
    ? `of ${humanizeDuration(seconds)}`
    : undefined;
}

/** Such as `slowest on 2026-10-09: 510 ms`. */
export function slowestText({ slowestDay }: ResponseTimes, times: ZonedTimes): string | undefined {
  if (slowestDay === undefined) return undefined;
  const { fromSeconds, seconds } = slowestDay;
  return `slowest on ${times.day(fromSeconds)}: ${formatResponse(seconds)}`;
}

/** Which items are not complete, and why. */
function missingText(report: MonthReport): string {
  const { state, month, items, facts } = report;
  const { awaited, late } = facts;
  const ofAll = (some: readonly unknown[]) =>
    `${formatDecimal(some.length)} of ${plural(items.length, ...itemWords)}`;
  const parts: string[] = [];
  if (awaited.length > 0) {
    const named = listText(awaited, (row) => nameText(row, report));
    const isOne = awaited.length === 1;
    parts.push(
      `Some time of ${ofAll(awaited)} is not known yet: ${named}. ${isOne ? 'Its figures and those of its groups are' : 'Their figures and those of their groups are'} complete when it is.`,
    );
  }
  if (state !== 'partial') return parts.join(' ');
  const times = zonedTimes(month.zone);
  if (late.length > 0) {
    const named = listText(
      late,
      ({ row, seconds }) => `${nameText(row, report)} (until ${times.text(seconds)})`,
    );
    parts.push(
      `${ofAll(late)} ${late.length === 1 ? 'is' : 'are'} not counted to the end of the month: ${named}.`,
    );
  } else if (awaited.length === 0) {
    parts.push('The last tests of the month are not counted yet.');
  }
  return parts.join(' ');
}

/** So many are named where many are meant. */
const mostNamed = 3;

function listText<T>(all: readonly T[], textOf: (one: T) => string): string {
  const named = all.slice(0, mostNamed).map(textOf).join(', ');
  const others = all.length - mostNamed;
  return others > 0 ? `${named} and ${formatDecimal(others)} more` : named;
}

export const itemWords = ['check or transaction', 'checks and transactions'] as const;

/** Of which time the names, groups and objectives of a past month are. */
function namesText({ month, facts }: MonthReport): string {
  if (facts.readDay !== undefined) {
    return `Read afterwards: with the names, groups and objectives of ${facts.readDay}.`;
  }
  if (facts.areSeenLater) {
    const these = isRange(month) ? 'these months' : 'this month';
    return `All were first seen after ${these}: names, groups and objectives are those of a later time.`;
  }
  const ofMonth = isRange(month)
    ? 'Names and groups are those of the last of these months, objectives those of each'
    : 'Names, groups and objectives are those of that month';
  return facts.readAfterwards
    ? `${ofMonth}; where a line was read afterwards, those of the day of reading.`
    : `${ofMonth}.`;
}

/** Returns text such as `read afterwards, on 2026-11-27`; undefined if nothing was. */
export function readAfterwardsText(
  { readAfterwards: read }: ReportRow,
  times: ZonedTimes,
): string | undefined {
  const part = read?.share === 'part' ? 'partly ' : '';
  return read && `${part}read afterwards, on ${times.day(read.atSeconds)}`;
}

/** What the report says of accounts whose items may be missing, one sentence for each. */
export function accountTexts(
  unread: readonly UnreadAccount[],
  times: ZonedTimes,
): readonly string[] {
  return unread.map(({ account, missing, isStarting, text, lastReadAtSeconds }) => {
    const name = displayText(account);
    if (missing === 'elsewhere') return `The account ${name} is not in this report. ${text}`;
    const what = missing === 'account' ? 'The account' : 'The transactions of the account';
    const last =
      lastReadAtSeconds === undefined ? '' : `, last read ${times.text(lastReadAtSeconds)}`;
    const how = isStarting ? 'has not been read since the start of the exporter' : 'cannot be read';
    return `${what} ${name} ${how}${last}. ${text}`;
  });
}

/** Said of an availability of several items of which some time is not known. */
export const ofKnownTime = 'of the known time';

/** Of how much time the availability is, if some was not watched. */
export function restText({
  availability,
  items,
  known,
  unwatched,
}: Sums & Pick<ReportRow, 'availability'>): string | undefined {
  if (availability === undefined || unwatched === 0) return undefined;
  return items === 1 ? `of ${humanizeDuration(known)}` : ofKnownTime;
}

/** Why an item has no availability. */
export function noAvailabilityText({
  known,
  awaited,
  unwatched,
}: Pick<Sums, 'known' | 'awaited' | 'unwatched'>): string {
  if (awaited > 0) return 'not known yet';
  if (unwatched > 0) return 'not known';
  // In the first minute of a month, or of an item, nothing is counted.
  return known > 0 ? 'not tested' : 'not known yet';
}

export function notKnownTexts(row: ReportRow): readonly string[] {
  const { kind, items, known, awaited, awaitedItems, unwatched, unknown, unmonitored } = row;
  const of = (seconds: number, what: string) =>
    seconds > 0 ? [`${humanizeDuration(seconds)} ${what}`] : [];
  const unknowns =
    kind === 'group'
      ? [
          ...(awaitedItems > 0
            ? [`${formatDecimal(awaitedItems)} of ${plural(items, 'check')} not known yet`]
            : []),
          ...(unwatched > 0
            ? [`${shareText(unwatched / (known + awaited + unwatched))} of the time not watched`]
            : []),
        ]
      : [...of(awaited, 'not known yet'), ...of(unwatched, 'not watched')];
  return [...unknowns, ...of(unknown, 'unknown'), ...of(unmonitored, 'not monitored')];
}

/** Such as `18 %`. */
function shareText(share: number): string {
  const percent = share * 100;
  return percent < 1 ? 'less than 1 %' : `${Math.round(percent)} %`;
}

/** It was up for the whole month. */
export function isFlawless(row: ReportRow): boolean {
  const { down, awaited, unwatched, unknown, availability } = row;
  return availability === 1 && down + awaited + unwatched + unknown === 0;
}

/** Such as `goes on since 2026-10-19`. */
export function carriedText(
  { fromSeconds, beganBefore, goesOn }: Carried,
  times: ZonedTimes,
): string {
  const day = `${beganBefore ? 'before ' : ''}${times.day(fromSeconds)}`;
  return goesOn ? `goes on since ${day}` : `one began ${beganBefore ? '' : 'on '}${day}`;
}

/** What has changed since the month before, as far as both are known. */
export function changeTexts(
  now: Sums & Pick<ReportRow, 'response' | 'responseHours' | 'before'>,
): string[] {
  const { before, responseHours } = now;
  if (before === undefined) return [];
  const response = comparableResponse(now, responseHours, now.response?.seconds);
  const { availability, down, outages } = comparableOf(now);
  const change = (after: number | undefined, former: number | undefined, parts = 1) =>
    after === undefined || former === undefined ? 0 : Math.round((after - former) * parts);
  const points = change(availability, before.availability, 1e5) / 1e3;
  const longer = change(down, before.down);
  const more = change(outages, before.outages);
  const slower = change(response, before.response, 1000) / 1000;
  return [
    ...(points === 0 ? [] : [`${signed(points, `${Math.abs(points)}`)} points`]),
    ...(longer === 0 ? [] : [`down ${signed(longer, humanizeDuration(Math.abs(longer)))}`]),
    ...(more === 0 ? [] : [`${signed(more, plural(Math.abs(more), 'outage'))}`]),
    ...(slower === 0 ? [] : [`response ${signed(slower, formatResponse(Math.abs(slower)))}`]),
  ];
}

function signed(value: number, text: string): string {
  return `${value < 0 ? '−' : '+'}${text}`;
}
