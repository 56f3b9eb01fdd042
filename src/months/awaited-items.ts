import type { MonthReport, ReportRow } from './report.ts';

/** The items of which something becomes known by itself. */
export function awaitedItems(report: MonthReport): number {
  return report.items.filter((row) => row.awaited > 0 || isNotCounted(row, report)).length;
}

/** Whether the last tests of an ended month are not counted yet. */
function isNotCounted(row: ReportRow, { state, month }: MonthReport): boolean {
  if (state !== 'partial' || row.removedAtSeconds !== undefined) return false;
  const begin = row.createdAtSeconds ?? row.firstSeenSeconds ?? month.fromSeconds;
  return row.known + row.unwatched < month.toSeconds - begin;
}
