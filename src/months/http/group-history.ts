import type { AccountMonths } from '../account-months.ts';
import { type Month, monthsKept } from '../calendar.ts';
import type { MonthReport } from '../report.ts';

interface GroupCell {
  readonly availability: number;
  /** The objective of that month. */
  readonly ratio: number;
}

/** Groups by month, as many as are kept; oldest first. */
export interface GroupHistory {
  readonly months: readonly Month[];
  readonly groups: readonly {
    readonly account: string;
    readonly name: string;
    /** One for each month; undefined if nothing of it is known. */
    readonly cells: readonly (GroupCell | undefined)[];
  }[];
}

/** The groups of the report in the whole months, and in the month of the report. */
export function groupHistories(
  accounts: readonly AccountMonths[],
  report: MonthReport,
): GroupHistory {
  const known = new Map<string, Month>([[report.month.name, report.month]]);
  for (const { months } of accounts) for (const month of months) known.set(month.name, month);
  const months = [...known.values()]
    .sort((a, b) => a.fromSeconds - b.fromSeconds)
    .slice(-monthsKept);
  const groups = report.groups.map(({ account, name, availability, objective }) => {
    const own = accounts.find((one) => one.account === account);
    const cells = months.map((month): GroupCell | undefined => {
      if (month.name === report.month.name) {
        return availability === undefined ? undefined : { availability, ratio: objective };
      }
      const of = own?.months.find((one) => one.name === month.name)?.groups;
      const group = of?.find((one) => one.name === name);
      if (group === undefined || group.up + group.down === 0) return undefined;
      return { availability: group.up / (group.up + group.down), ratio: group.ratio };
    });
    return { account, name, cells };
  });
  return { months, groups };
}
