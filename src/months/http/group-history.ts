import { type Month, monthsKept } from '../../lib/month-calendar.ts';
import type { AccountMonths } from '../account-months.ts';
import type { MonthReport } from '../report.ts';
import { figuresOf, type MonthFigures } from '../report-row.ts';

/** Groups by month, as many as are kept; oldest first. */
export interface GroupHistory {
  readonly months: readonly Month[];
  readonly groups: readonly {
    readonly account: string;
    readonly name: string;
    /** One for each month; undefined if nothing of it is known. */
    readonly cells: readonly (MonthFigures | undefined)[];
  }[];
}

interface HistoryOptions {
  readonly accounts: readonly AccountMonths[];
  readonly groups: readonly { readonly account: string; readonly name: string }[];
  /** Its month is added, which may not be whole. */
  readonly report?: MonthReport;
}

/** The groups in the whole months. */
export function groupHistories({ accounts, groups, report }: HistoryOptions): GroupHistory {
  const known = new Map<string, Month>();
  for (const account of accounts) {
    for (const month of account.months) {
      if (account.phaseOf(month) === 'whole') known.set(month.name, month);
    }
  }
  if (report !== undefined) known.set(report.month.name, report.month);
  const months = [...known.values()]
    .sort((a, b) => a.fromSeconds - b.fromSeconds)
    .slice(-monthsKept);
  return {
    months,
    groups: groups.map(({ account, name }) => {
      const own = accounts.find((one) => one.account === account);
      const row = report?.groups.find((one) => one.account === account && one.name === name);
      const cells = months.map((month) => {
        if (row !== undefined && month.name === report?.month.name) return row;
        const of = own?.months.find((one) => one.name === month.name)?.groups;
        const group = of?.find((one) => one.name === name);
        return group && figuresOf({ ...group, awaited: 0, ahead: 0 }, group.ratio, 'whole');
      });
      return { account, name, cells };
    }),
  };
}
