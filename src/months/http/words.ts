import { displayText, formatResponse } from '../../http/common/format.tsx';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { formatDecimal, plural } from '../../lib/format-number.ts';
import type { ZonedTimes } from '../../lib/zoned-times.ts';
import type { MonthReport } from '../report.ts';
import type { Carried, ReportRow, ResponseTimes } from '../report-row.ts';
import { comparableOf, comparableResponse, type Sums } from '../sums.ts';

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
export function slowestText({ slowestDay }: ResponseTimes): string | undefined {
  if (slowestDay === undefined) return undefined;
  const { date, seconds } = slowestDay;
  return `slowest on ${date}: ${formatResponse(seconds)}`;
}

export const itemWords = ['check or transaction', 'checks and transactions'] as const;

/** Returns text such as `read afterwards, on 2026-11-27`; undefined if nothing was. */
export function readAfterwardsText(
  { readAfterwards: read }: ReportRow,
  times: ZonedTimes,
): string | undefined {
  const part = read?.share === 'part' ? 'partly ' : '';
  return read && `${part}read afterwards, on ${times.day(read.atSeconds)}`;
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

/** Such as `18 %`. Only all of it is 100 %. */
function shareText(share: number): string {
  const percent = share * 100;
  return percent < 1 ? 'less than 1 %' : `${Math.floor(percent)} %`;
}

/** It was up for the whole month. */
export function isFlawless(row: ReportRow): boolean {
  const { down, awaited, unwatched, unknown, availability } = row;
  return availability === 1 && down + awaited + unwatched + unknown === 0;
}

/** Such as `going on since 2026-10-19`. */
export function carriedText(
  { fromSeconds, beganBefore, goesOn }: Carried,
  times: ZonedTimes,
): string {
  const day = `${beganBefore ? 'before ' : ''}${times.day(fromSeconds)}`;
  return goesOn ? `going on since ${day}` : `one began ${beganBefore ? '' : 'on '}${day}`;
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
