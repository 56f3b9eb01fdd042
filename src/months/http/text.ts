import { rowsPerPiece } from '../../http/csv.ts';
import { displayText, formatObjective, plural } from '../../http/views/format.tsx';
import type { UnreadAccount } from '../../http/views/unread-accounts.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { type ZonedTimes, zonedTimes } from '../../lib/zoned-times.ts';
import type { MonthReport, ReportOutage, ReportRow } from '../report.ts';
import {
  accountTexts,
  formatAvailability,
  lateRowSeconds,
  leadText,
  marginText,
  monthTitle,
  noAvailabilityText,
  notKnownTexts,
  readDay,
  readText,
  restText,
  verdictText,
  verdictWord,
} from './words.ts';

/** The report for a mail or a ticket, in pieces. */
export function* reportText(
  report: MonthReport,
  unread: readonly UnreadAccount[],
): Iterable<string> {
  const { month, groups, items, outages } = report;
  const hasAccount = new Set(items.map(({ account }) => account)).size > 1;
  const times = zonedTimes(month.zone);
  for (const text of accountTexts(unread, times)) yield `${text}\n\n`;
  yield `${monthTitle(month.name)}\n${times.text(month.fromSeconds)} to ${times.text(month.toSeconds)}, months of the time zone ${month.zone}.\n`;
  yield `${leadText(report)}\n\n${verdictText(report)}\n`;
  const names = { hasAccount, hasReading: readDay(report) === undefined, report, times };
  yield* part('Groups', groups, (row) => rowText(row, names));
  yield* part('Checks and transactions', items, (row) => rowText(row, names));
  yield* part('Outages', outages, (outage) => outageText(outage, names));
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
  readonly report: MonthReport;
  readonly times: ZonedTimes;
}

function rowText(row: ReportRow, { hasAccount, hasReading, report, times }: RowWords): string {
  const { availability, down, outages, longestOutage, maintenance } = row;
  const read = hasReading ? readText(row, times) : undefined;
  const [rest, lateSeconds] = [restText(row), lateRowSeconds(row, report)];
  const parts = [
    availability === undefined
      ? noAvailabilityText(row)
      : `${formatAvailability(availability)} available${rest === undefined ? '' : ` ${rest}`}`,
    outcomeText(row),
    ...(down > 0 ? [`down ${humanizeDuration(down)}`] : []),
    ...(outages > 0 ? [plural(outages, 'outage')] : []),
    ...(outages > 1 ? [`longest ${humanizeDuration(longestOutage)}`] : []),
    ...(maintenance > 0 ? [`maintenance ${humanizeDuration(maintenance)}`] : []),
    ...notKnownTexts(row),
    ...(lateSeconds === undefined ? [] : [`counted until ${times.text(lateSeconds)}`]),
    ...(read === undefined ? [] : [read]),
  ];
  return `${nameText(row, hasAccount)}: ${parts.join(', ')}`;
}

function outcomeText(row: ReportRow): string {
  const { objective, verdict } = row;
  const margin = marginText(row);
  const of = `objective ${formatObjective(objective)}`;
  if (verdict === undefined) return of;
  const word = verdict === 'within' ? '' : ` ${verdictWord(verdict)}`;
  const by = margin?.startsWith('by ') ? ` ${margin}` : `, ${margin}`;
  return `${of}${word}${margin === undefined ? '' : by}`;
}

function outageText(
  outage: ReportOutage,
  { hasAccount, times }: Pick<RowWords, 'hasAccount' | 'times'>,
): string {
  const { fromSeconds, toSeconds, seconds, secondsInMonth, beganBefore, maintenance } = outage;
  const parts = [
    `${toSeconds === undefined ? 'at least ' : ''}${humanizeDuration(seconds)}`,
    ...(toSeconds === undefined ? ['end not known'] : []),
    ...(secondsInMonth < seconds ? [`${humanizeDuration(secondsInMonth)} in this month`] : []),
    ...(maintenance === 'whole' ? ['in maintenance'] : []),
    ...(maintenance === 'part' ? ['partly in maintenance'] : []),
    ...outage.causes.map(displayText),
  ];
  const begin = `${beganBefore ? 'before ' : ''}${times.text(fromSeconds)}`;
  return `${begin} ${nameText(outage, hasAccount)}: ${parts.join(', ')}`;
}

function nameText(
  { name, distinction, account }: Pick<ReportRow, 'name' | 'distinction' | 'account'>,
  hasAccount: boolean,
): string {
  const facts = [distinction, hasAccount ? account : undefined].filter(
    (fact) => fact !== undefined,
  );
  return `${displayText(name)}${facts.length === 0 ? '' : ` (${facts.map(displayText).join(', ')})`}`;
}
