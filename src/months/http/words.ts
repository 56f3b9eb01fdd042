import { formatDecimal, plural } from '../../http/views/format.tsx';
import { humanizeDuration } from '../../lib/format-duration.ts';
import type { ReadAfterwards } from '../month-record.ts';
import type { MonthReport, ReportRow } from '../report.ts';

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

/** How the report was made. */
export function leadText(report: MonthReport): string {
  const { state } = report;
  const present = 'The counted part of this month, with the names, groups and objectives of now.';
  const partial = 'Checks whose last hours are not counted yet are missing. ';
  return `${state === 'present' ? present : namesText(report)} ${state === 'partial' ? partial : ''}Availability is without maintenance.`;
}

/** Of which time the names, groups and objectives of a past month are. */
function namesText(report: MonthReport): string {
  const day = readDay(report);
  if (day !== undefined) {
    return `Read afterwards: with the names, groups and objectives of ${day}.`;
  }
  const ofMonth = 'Names, groups and objectives are those of that month';
  return report.items.some(({ readAfterwards: read }) => read?.share === 'whole')
    ? `${ofMonth}; where a line was read afterwards, those of the day of reading.`
    : `${ofMonth}.`;
}

/** The day on which all lines were wholly read afterwards; undefined if they are not alike. */
export function readDay({ items }: MonthReport): string | undefined {
  const days = new Set(
    items.map(({ readAfterwards: read }) => (read?.share === 'whole' ? dayText(read) : undefined)),
  );
  return days.size === 1 ? [...days][0] : undefined;
}

/** Returns text such as `read afterwards, on 2026-11-27`; undefined if nothing was. */
export function readText({ readAfterwards: read }: ReportRow): string | undefined {
  return read && `${read.share === 'part' ? 'partly ' : ''}read afterwards, on ${dayText(read)}`;
}

function dayText({ atSeconds }: ReadAfterwards): string {
  return new Date(atSeconds * 1000).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The number of groups, checks and transactions that missed their objectives. */
export function verdictText({ groups, items }: MonthReport): string {
  const missed = (rows: readonly ReportRow[]) => rows.filter(({ margin = 0 }) => margin < 0).length;
  const parts = [
    ...(groups.length > 0
      ? [`${formatDecimal(missed(groups))} of ${plural(groups.length, 'group')}`]
      : []),
    `${formatDecimal(missed(items))} of ${plural(items.length, 'check or transaction', 'checks and transactions')}`,
  ];
  return `${parts.join(' and ')} missed the objective.`;
}

/** Why an item without up and down time has no availability. */
export function noAvailabilityText({ unwatched }: ReportRow): string {
  return unwatched > 0 ? 'not known' : 'not tested';
}

export function notKnownTexts({ unwatched, unknown, unmonitored }: ReportRow): readonly string[] {
  const of = (seconds: number, what: string) =>
    seconds > 0 ? [`${humanizeDuration(seconds)} ${what}`] : [];
  return [
    ...of(unwatched, 'not watched'),
    ...of(unknown, 'unknown'),
    ...of(unmonitored, 'not monitored'),
  ];
}

/** It was up for the whole month. */
export function isFlawless({ down, unwatched, unknown, availability }: ReportRow): boolean {
  return availability === 1 && down + unwatched + unknown === 0;
}
