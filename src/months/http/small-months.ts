import { type Month, monthsKept } from '../../lib/month-calendar.ts';
import { itemKinds } from '../../store/store.ts';
import type { AccountMonths } from '../account-months.ts';
import { isRange } from '../month-range.ts';
import { rangeSumsOf } from '../month-record.ts';
import type { MonthReport } from '../report.ts';
import type { ReportRow } from '../report-row.ts';
import { cellOf, cellOfRow, type MonthCell } from './month-cell.ts';

/** The months of a line up to that of the report, oldest first; undefined where nothing is known. */
export type SmallMonths = ReadonlyMap<ReportRow, readonly (MonthCell | undefined)[]>;

/** The months of the lines that a page shows. Rejects with a `StoreError`. */
export async function smallMonths(
  report: MonthReport,
  rows: readonly ReportRow[],
  {
    accounts,
    known: months,
  }: { readonly accounts: readonly AccountMonths[]; readonly known: readonly Month[] },
): Promise<SmallMonths> {
  const cells = new Map<ReportRow, (MonthCell | undefined)[]>();
  if (isRange(report.month)) return cells;
  for (const row of rows) cells.set(row, []);
  const names = new Set(months.map(({ name }) => name));
  for (const month of monthsUpTo(report.month, accounts)) {
    const isOwn = month.name === report.month.name;
    const known = new Map<string, MonthCell | undefined>();
    for (const account of isOwn || !names.has(month.name) ? [] : accounts) {
      for (const kind of itemKinds) {
        const isOfAccount = (row: ReportRow) =>
          row.kind === kind && row.account === account.account;
        const ids = rows.filter(isOfAccount).flatMap(({ id }) => id ?? []);
        for (const record of await account.recordsOf(month, kind, ids)) {
          const key = keyIn(account.account, kind, record.id);
          known.set(key, cellOf(rangeSumsOf(record), record.objective));
        }
      }
    }
    for (const [row, months] of cells) {
      const former = () => known.get(keyIn(row.account, row.kind, row.id));
      months.push(isOwn ? cellOfRow(row) : former());
    }
  }
  return cells;
}

function monthsUpTo(last: Month, accounts: readonly AccountMonths[]): readonly Month[] {
  const { calendar } = accounts[0] ?? {};
  if (calendar === undefined) return [last];
  return Array.from({ length: monthsKept }, (_, place) =>
    calendar.later(last, place + 1 - monthsKept),
  );
}

/** Of a line or a record, within all accounts. */
function keyIn(account: string, kind: ReportRow['kind'], id: number | undefined): string {
  return `${kind} ${id} ${account}`;
}
