import { type Month, monthsKept } from '../../lib/month-calendar.ts';
import { shownAvailability, verdictOf } from '../../slo/verdict.ts';
import { itemKinds } from '../../store/store.ts';
import type { AccountMonths } from '../account-months.ts';
import { isRange } from '../month-range.ts';
import { lengthOf, type MonthRecord, outsideMaintenance, total } from '../month-record.ts';
import type { MonthReport, ReportRow } from '../report.ts';
import type { GroupCell } from './group-history.ts';

/** The months of a line up to that of the report, oldest first; undefined where nothing is known. */
export type SmallMonths = ReadonlyMap<ReportRow, readonly (GroupCell | undefined)[]>;

/** The months of the lines that a page shows. Rejects with a `StoreError`. */
export async function smallMonths(
  report: MonthReport,
  rows: readonly ReportRow[],
  accounts: readonly AccountMonths[],
): Promise<SmallMonths> {
  const cells = new Map<ReportRow, (GroupCell | undefined)[]>();
  if (isRange(report.month)) return cells;
  for (const row of rows) cells.set(row, []);
  for (const month of monthsUpTo(report.month, accounts)) {
    const known = new Map<string, GroupCell | undefined>();
    for (const account of month.name === report.month.name ? [] : accounts) {
      for (const kind of itemKinds) {
        const of = (row: ReportRow) => row.kind === kind && row.account === account.account;
        const ids = rows.filter(of).flatMap(({ id }) => id ?? []);
        for (const record of await account.recordsOf(month, kind, ids)) {
          known.set(keyOf({ ...record, account: account.account }), cellOf(record));
        }
      }
    }
    for (const [row, of] of cells) {
      of.push(month.name === report.month.name ? ownCell(row) : known.get(keyOf(row)));
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

function ownCell({ availability, verdict }: ReportRow): GroupCell | undefined {
  return availability === undefined ? undefined : { availability, verdict };
}

function cellOf({
  seconds,
  maintenance,
  unwatched,
  objective,
}: MonthRecord): GroupCell | undefined {
  const sums = {
    ...outsideMaintenance(seconds, maintenance),
    known: total(seconds),
    awaited: 0,
    unwatched: lengthOf(unwatched),
  };
  const availability = shownAvailability(sums);
  return availability === undefined
    ? undefined
    : { availability, verdict: verdictOf(sums, objective) };
}

function keyOf({
  kind,
  id,
  account,
}: {
  readonly kind: string;
  readonly id: number | undefined;
  readonly account: string;
}): string {
  return `${kind} ${id} ${account}`;
}
