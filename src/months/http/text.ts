import { rowsPerPiece } from '../../http/common/csv.ts';
import type { ReportOutage } from '../month-outages.ts';
import type { MonthReport } from '../report.ts';
import type { ReportRow } from '../report-row.ts';
import { type Column, type Lines, linesOf } from './columns.ts';
import { dayTexts, letterLegend } from './days.tsx';
import { accountTexts, leadText, rangeText } from './lead-text.ts';
import { monthTitle } from './month-titles.ts';
import { outageColumns } from './outage-columns.tsx';
import { rowColumns } from './row-columns.tsx';
import { totalTexts } from './total-words.ts';
import { type ReportScope, verdictText } from './verdict-words.ts';
import { nameText } from './words.ts';

/** The report for a mail or a ticket, in pieces. */
export function* reportText(report: MonthReport, scope: ReportScope): Iterable<string> {
  const { month, groups, items, outages } = report;
  const lines = linesOf(report);
  for (const text of accountTexts(scope.unread, lines.times)) yield `${text}\n\n`;
  yield `${monthTitle(month.name)}\n${rangeText(report)}\n`;
  const lead = leadText(report);
  if (lead !== '') yield `${lead}\n`;
  yield `\n${verdictText(report, scope)}\n`;
  for (const text of totalTexts(report)) yield `${text}\n`;
  yield* legend([...groups, ...items]);
  yield* part('Groups', groups, (row) => rowText(row, lines));
  yield* part('Checks and transactions', items, (row) => rowText(row, lines));
  yield* part('Outages', outages, (outage) => outageText(outage, lines));
}

/** If a line has letters. Of tens of thousands this takes long, so that pieces without text are between. */
function* legend(rows: readonly ReportRow[]): Iterable<string> {
  for (let from = 0; from < rows.length; from += rowsPerPiece) {
    yield '';
    if (!rows.slice(from, from + rowsPerPiece).some((row) => dayTexts(row).length > 0)) continue;
    yield `\n${letterLegend()}\n`;
    return;
  }
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

function lineText<T>(columns: readonly Column<T>[], row: T, lines: Lines): string {
  return columns.flatMap(({ text }) => text?.(row, lines) ?? []).join(', ');
}

function rowText(row: ReportRow, lines: Lines): string {
  return `${nameText(row, lines.report)}: ${lineText(rowColumns, row, lines)}`;
}

function outageText(outage: ReportOutage, lines: Lines): string {
  const { item, fromSeconds, beganBefore } = outage;
  const begin = `${beganBefore ? 'before ' : ''}${lines.times.text(fromSeconds)}`;
  return `${begin} ${nameText(item, lines.report)}: ${lineText(outageColumns, outage, lines)}`;
}
