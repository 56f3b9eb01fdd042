import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Month } from '../lib/month-calendar.ts';
import type { Mutable } from '../lib/present.ts';
import { type ResponseMonth, responseSeconds } from '../slo/response-months.ts';
import type { AccountMonths } from './account-months.ts';
import { countsIn, type MonthRecord, rangeSumsOf } from './month-record.ts';
import { isSelected, type MonthReport, type ReportSelection } from './report.ts';
import { type Before, lineKeyOf, type ReportRow } from './report-row.ts';
import { added, comparableOf, comparableResponse, noItems, type Sums } from './sums.ts';

/** Other work is done after this many rows. */
const rowsPerStep = 1_000;

/**
 * The report with what each line had in the month before. One of a month that goes on stays as it
 * is, because a part of a month cannot be compared. The lines of items get it in place, because a copy
 * of them takes as much memory as they do. Rejects with a `StoreError`.
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
  const items = new Map<string, Mutable<ReportRow>>();
  for (const [place, row] of report.items.entries()) {
    if (place % rowsPerStep === rowsPerStep - 1) await yieldToEventLoop();
    items.set(lineKeyOf(row), row);
  }
  /** Of groups and accounts. */
  const sums = new Map<string, Sums>(report.groups.map((group) => [lineKeyOf(group), noItems]));
  const partial = new Set<string>();
  const add = (key: string, one: Sums) => sums.set(key, added(sums.get(key) ?? noItems, one));
  for (const months of accounts) {
    const { account } = months;
    for await (const [batch = []] of months.records([month])) {
      for (const record of batch) {
        const groupKeys = record.groups.map(({ name }) =>
          lineKeyOf({ kind: 'group', id: undefined, name, account }),
        );
        if (!isSelected(selection, record)) {
          for (const key of groupKeys) partial.add(key);
          continue;
        }
        const own = sumsOf(record, month);
        const row = items.get(lineKeyOf({ ...record, account }));
        if (row !== undefined) row.before = beforeOf(own, record.responseTimes);
        add(`account ${account}`, own);
        for (const key of groupKeys) if (sums.has(key)) add(key, own);
      }
    }
  }
  const beforeIn = (key: string): Before | undefined => {
    const sum = sums.get(key);
    return sum === undefined || sum.items === 0 || partial.has(key) ? undefined : beforeOf(sum);
  };
  const withBefore = <T>(line: T, key: string): T => ({ ...line, before: beforeIn(key) });
  return {
    ...report,
    groups: report.groups.map((group) => withBefore(group, lineKeyOf(group))),
    totals: report.totals.map((total) => withBefore(total, `account ${total.account}`)),
    monthBefore: month,
  };
}

function sumsOf(record: MonthRecord, month: Month): Sums {
  const { outages, folded = 0 } = record;
  const counted = outages.filter((outage) => countsIn(outage, month)).length;
  return { ...noItems, items: 1, ...rangeSumsOf(record), folded, outages: counted };
}

function beforeOf(sums: Sums, times?: ResponseMonth): Before {
  const response = comparableResponse(sums, times?.hours ?? 0, responseSeconds(times));
  return { ...comparableOf(sums), response };
}
