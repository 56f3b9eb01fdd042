import { rowsPerPiece } from '../../http/csv.ts';
import { displayText, formatObjective, plural } from '../../http/views/format.tsx';
import { humanizeDuration } from '../../lib/format-duration.ts';
import type { MonthReport, ReportOutage, ReportRow } from '../report.ts';
import {
  formatAvailability,
  leadText,
  monthTitle,
  noAvailabilityText,
  notKnownTexts,
  readDay,
  readText,
  verdictText,
} from './words.ts';

/** The report for a mail or a ticket, in pieces. Times are in UTC. */
export function* reportText(report: MonthReport): Iterable<string> {
  const { month, zone, groups, items, outages } = report;
  const hasAccount = new Set(items.map(({ account }) => account)).size > 1;
  yield `${monthTitle(month.name)}\n${instant(month.fromSeconds)} to ${instant(month.toSeconds)}, months of the time zone ${zone}.\n`;
  yield `${leadText(report)}\n\n${verdictText(report)}\n`;
  const names = { hasAccount, hasReading: readDay(report) === undefined };
  yield* part('Groups', groups, (row) => rowText(row, names));
  yield* part('Checks and transactions', items, (row) => rowText(row, names));
  yield* part('Outages', outages, (outage) => outageText(outage, hasAccount));
}

function* part<T>(title: string, rows: readonly T[], textOf: (row: T) => string): Iterable<string> {
  if (rows.length === 0) return;
  yield `\n${title}\n`;
  for (let from = 0; from < rows.length; from += rowsPerPiece) {
    yield rows
      .slice(from, from + rowsPerPiece)
      .map((row) => `  ${textOf(row)}\n`)
      .join('');
  }
}

interface RowWords {
  readonly hasAccount: boolean;
  /** Whether lines say that they were read afterwards. */
  readonly hasReading: boolean;
}

function rowText(row: ReportRow, { hasAccount, hasReading }: RowWords): string {
  const { availability, down, outages, longestOutage, maintenance } = row;
  const read = hasReading ? readText(row) : undefined;
  const parts = [
    availability === undefined
      ? noAvailabilityText(row)
      : `${formatAvailability(availability)} available`,
    outcomeText(row),
    ...(down > 0 ? [`down ${humanizeDuration(down)}`] : []),
    ...(outages > 0 ? [plural(outages, 'outage')] : []),
    ...(outages > 1 ? [`longest ${humanizeDuration(longestOutage)}`] : []),
    ...(maintenance > 0 ? [`maintenance ${humanizeDuration(maintenance)}`] : []),
    ...notKnownTexts(row),
    ...(read === undefined ? [] : [read]),
  ];
  return `${nameText(row, hasAccount)}: ${parts.join(', ')}`;
}

function outcomeText({ objective, margin }: ReportRow): string {
  const of = `objective ${formatObjective(objective)}`;
  if (margin === undefined) return of;
  return margin < 0
    ? `${of} missed by ${humanizeDuration(Math.ceil(-margin))}`
    : `${of} met, ${humanizeDuration(margin)} left`;
}

function outageText(outage: ReportOutage, hasAccount: boolean): string {
  const { fromSeconds, toSeconds, seconds, secondsInMonth, beganBefore, maintenance } = outage;
  const parts = [
    `${toSeconds === undefined ? 'at least ' : ''}${humanizeDuration(seconds)}`,
    ...(secondsInMonth < seconds ? [`${humanizeDuration(secondsInMonth)} in this month`] : []),
    ...(maintenance === 'whole' ? ['in maintenance'] : []),
    ...(maintenance === 'part' ? ['partly in maintenance'] : []),
    ...outage.causes.map(displayText),
  ];
  const begin = `${beganBefore ? 'before ' : ''}${instant(fromSeconds)}`;
  return `${begin} ${nameText(outage, hasAccount)}: ${parts.join(', ')}`;
}

function nameText(
  { name, account }: { readonly name: string; readonly account: string },
  hasAccount: boolean,
): string {
  return `${displayText(name)}${hasAccount ? ` (${displayText(account)})` : ''}`;
}

function instant(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
