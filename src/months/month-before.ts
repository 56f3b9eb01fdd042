import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Month } from '../lib/month-calendar.ts';
import type { Mutable } from '../lib/present.ts';
import type { AccountMonths } from './account-months.ts';
import { type MonthReport, monthLines, type ReportSelection } from './report.ts';
import type { Before, ReportRow } from './report-row.ts';
import { comparableOf, type Sums } from './sums.ts';

/** Other work is done after this many rows. */
const rowsPerStep = 1_000;

/**
 * The report with what each line had in the month before. One of a month that goes on stays as it
 * is, because a part of a month cannot be compared. Rejects with a `StoreError`.
 */
export async function withMonthBefore(
  report: MonthReport,
  {
    accounts,
    known,
  }: { readonly accounts: readonly AccountMonths[]; readonly known: readonly Month[] },
  selection: ReportSelection,
): Promise<MonthReport> {
  const { calendar } = accounts[0] ?? {};
  if (calendar === undefined || report.state === 'present') return report;
  const month = calendar.later(report.month, -1);
  if (!known.some(({ name }) => name === month.name)) return report;
  const former = await monthLines(accounts, month, selection);
  const rows = new Map<string, ReportRow>();
  for (const row of [...former.groups, ...former.items]) rows.set(keyOf(row), row);
  for (const [place, row] of [...report.groups, ...report.items].entries()) {
    if (place % rowsPerStep === rowsPerStep - 1) await yieldToEventLoop();
    const before = rows.get(keyOf(row));
    if (before !== undefined) {
      (row as Mutable<ReportRow>).before = beforeOf(before, before.response?.seconds);
    }
  }
  const totals = report.totals.map((total) => {
    const before = former.totals.find(({ account }) => account === total.account);
    return { ...total, before: before && beforeOf(before) };
  });
  return { ...report, totals, monthBefore: month };
}

function beforeOf(sums: Sums & Pick<Before, 'availability'>, response?: number): Before {
  return { availability: sums.availability, ...comparableOf(sums), response };
}

function keyOf({ account, kind, id, name }: ReportRow): string {
  return `${kind} ${id ?? name} ${account}`;
}
