import { type Month, monthsKept } from '../../lib/month-calendar.ts';
import { itemKinds } from '../../store/store.ts';
import type { AccountMonths } from '../account-months.ts';
import { isRange } from '../month-range.ts';
import { rangeSumsOf } from '../month-record.ts';
import type { MonthReport } from '../report.ts';
import { figuresOf, lineKeyOf, type MonthFigures, type ReportRow } from '../report-row.ts';

/** The months of a line up to that of the report, oldest first; undefined where nothing is known. */
export type LineMonths = ReadonlyMap<ReportRow, readonly (MonthFigures | undefined)[]>;

/** The months of the lines that a page shows. Rejects with a `StoreError`. */
export async function lineMonths(
  report: MonthReport,
  rows: readonly ReportRow[],
  {
    accounts,
    known: months,
  }: { readonly accounts: readonly AccountMonths[]; readonly known: readonly Month[] },
): Promise<LineMonths> {
  const cells = new Map<ReportRow, (MonthFigures | undefined)[]>();
  if (isRange(report.month)) return cells;
  for (const row of rows) cells.set(row, []);
  const names = new Set(months.map(({ name }) => name));
  const shown = monthsUpTo(report.month, accounts);
  const isRead = ({ name }: Month) => name !== report.month.name && names.has(name);
  const figures = await figuresIn(shown.filter(isRead), rows, accounts);
  for (const month of shown) {
    const isOwn = month.name === report.month.name;
    const known = figures.get(month.name);
    for (const [row, months] of cells) months.push(isOwn ? row : known?.get(lineKeyOf(row)));
  }
  return cells;
}

/** By the names of the months, the figures of the rows that have a record, by their keys. */
async function figuresIn(
  months: readonly Month[],
  rows: readonly ReportRow[],
  accounts: readonly AccountMonths[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, MonthFigures>>> {
  const figures = new Map(months.map(({ name }) => [name, new Map<string, MonthFigures>()]));
  for (const account of accounts) {
    for (const kind of itemKinds) {
      const isOfAccount = (row: ReportRow) => row.kind === kind && row.account === account.account;
      const ids = rows.filter(isOfAccount).flatMap(({ id }) => id ?? []);
      const records = await account.recordsOf(months, kind, ids);
      for (const [place, { name }] of months.entries()) {
        for (const record of records[place] ?? []) {
          const key = lineKeyOf({ ...record, account: account.account });
          const sums = { ...rangeSumsOf(record), ahead: 0 };
          figures.get(name)?.set(key, figuresOf(sums, record.objective, 'whole'));
        }
      }
    }
  }
  return figures;
}

function monthsUpTo(last: Month, accounts: readonly AccountMonths[]): readonly Month[] {
  const { calendar } = accounts[0] ?? {};
  if (calendar === undefined) return [last];
  return Array.from({ length: monthsKept }, (_, place) =>
    calendar.later(last, place + 1 - monthsKept),
  );
}
