import { yieldToEventLoop } from '../lib/event-loop.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import type { Month } from '../lib/month-calendar.ts';
import { sortInTurns } from '../lib/sort-in-turns.ts';
import { shownAvailability } from '../slo/verdict.ts';
import type { AccountMonths, MonthPhase } from './account-months.ts';
import type { DaysNotRead } from './documents.ts';
import { type ItemFacts, itemFacts } from './item-facts.ts';
import { countedEnd, outageOf, type ReportOutage } from './month-outages.ts';
import type { MonthRecord } from './month-record.ts';
import type { OutageLimit } from './outage-limit.ts';
import { ReportDays } from './report-days.ts';
import {
  type Before,
  GroupSums,
  type ItemReportRow,
  itemReportRow,
  type ReportRow,
} from './report-row.ts';
import type { CountedMonth } from './shortfall.ts';
import { added, noItems, type Sums } from './sums.ts';

/** The sums of all lines of an account. */
export interface AccountTotal extends Sums {
  readonly account: string;
  /** See `shownAvailability`. */
  readonly availability: number | undefined;
  readonly before: Before | undefined;
}

/** The month of some accounts. */
export interface MonthReport extends CountedMonth {
  /** `present`: the month goes on, and names, groups and objectives are those of now. */
  readonly state: MonthPhase;
  /** The worst first. */
  readonly groups: readonly ReportRow[];
  readonly items: readonly ReportRow[];
  readonly totals: readonly AccountTotal[];
  /** With which it is compared; undefined if nothing of it is known. */
  readonly monthBefore: Month | undefined;
  /** Oldest first. */
  readonly outages: readonly ReportOutage[];
  readonly facts: ItemFacts;
  /** Why response times of some checks are absent, or of few days. */
  readonly daysNotRead: ReadonlySet<DaysNotRead>;
  /** Of all items of these accounts in the month, whatever was selected. */
  readonly groupNames: ReadonlySet<string>;
  /** Those beyond `max_groups`, which have no row. */
  readonly groupsLeftOut: readonly string[];
}

/** The parameters of a report as they were given, for links to its other forms. */
export interface ReportQuery {
  readonly accounts: readonly string[];
  readonly groups: readonly string[];
  readonly tags: readonly string[];
  /** Ids, or parts of names. */
  readonly checks: readonly string[];
  /** Of the outages: a date of the month, such as `2026-10-04`. */
  readonly day?: string;
  /** The order of the outages, if it is not that of their begins. */
  readonly by?: 'check';
}

/** Whether some items are left out. The day and the order are of the outages alone. */
export function selectsItems({ accounts, groups, tags, checks }: ReportQuery): boolean {
  return accounts.length + groups.length + tags.length + checks.length > 0;
}

export interface ReportSelection {
  /** Empty for all. */
  readonly groups: ReadonlySet<string>;
  readonly matches: (record: MonthRecord) => boolean;
  /** Whether the group is one of more than `max_groups`, of which metrics and views have nothing. */
  readonly isLeftOut: (account: string, group: string) => boolean;
}

export function isSelected({ groups, matches }: ReportSelection, record: MonthRecord): boolean {
  return (
    matches(record) && (groups.size === 0 || record.groups.some(({ name }) => groups.has(name)))
  );
}

/** The months of an account, as far as a report needs them. */
export interface ReportMonths
  extends Pick<
    AccountMonths,
    'account' | 'nowSeconds' | 'phaseOf' | 'daysNotRead' | 'records' | 'isIn' | 'lists'
  > {
  readonly calendar: Pick<AccountMonths['calendar'], 'dayBegins'>;
}

/**
 * Rejects with a `StoreError`, or with a `TooManyOutagesError` of the limit, if there is one. Yields to
 * the event loop.
 */
export async function monthReport(
  accounts: readonly ReportMonths[],
  month: Month,
  selection: ReportSelection,
  limit?: OutageLimit,
): Promise<MonthReport> {
  const { outages, ...lines } = await monthLines(accounts, month, selection, limit);
  const items = await mostBudgetUsedFirst(lines.items);
  const byBegin = (a: ReportOutage, b: ReportOutage) =>
    a.fromSeconds - b.fromSeconds || a.item.id - b.item.id;
  const report = {
    ...lines,
    month,
    countedUntilSeconds: items.reduce(
      (latest, row) => Math.max(latest, countedEnd(row, month)),
      month.fromSeconds,
    ),
    groups: await mostBudgetUsedFirst(lines.groups),
    items,
    monthBefore: undefined,
    outages: await sortInTurns(outages, byBegin, yieldToEventLoop),
  };
  return { ...report, facts: await itemFacts(report) };
}

/**
 * The parts of a report, in the order of the records. Rejects with a `StoreError` or a
 * `TooManyOutagesError`. Yields to the event loop.
 */
async function monthLines(
  accounts: readonly ReportMonths[],
  month: Month,
  selection: ReportSelection,
  limit: OutageLimit | undefined,
): Promise<Omit<MonthReport, 'month' | 'monthBefore' | 'countedUntilSeconds' | 'facts'>> {
  const { groups: selected, isLeftOut } = selection;
  const items: ReportRow[] = [];
  const outages: ReportOutage[] = [];
  /** By account and name. */
  const named = new Map<string, ItemReportRow[]>();
  const groups = new Map<string, GroupSums>();
  /** Groups of which not all checks are selected: a part of a group has no verdict. */
  const partial = new Set<string>();
  const groupNames = new Set<string>();
  const leftOut = new Set<string>();
  const daysNotRead = new Set<DaysNotRead>();
  const totals: AccountTotal[] = [];
  let state: MonthReport['state'] = 'whole';
  const days = new ReportDays(month, accounts[0]?.calendar.dayBegins(month) ?? []);
  for (const months of accounts) {
    const { account } = months;
    const phase = months.phaseOf(month);
    const at = { month, phase, nowSeconds: months.nowSeconds, days };
    const notRead = months.daysNotRead(month);
    if (notRead !== undefined) daysNotRead.add(notRead);
    if (phase === 'present' || state === 'whole') state = phase;
    let total = noItems;
    for await (const [batch = []] of months.records([month])) {
      for (const record of batch) {
        for (const { name } of record.groups) groupNames.add(name);
        if (!isSelected(selection, record)) {
          for (const { name } of record.groups) partial.add(`${account}\0${name}`);
          continue;
        }
        limit?.add(record.outages.length);
        const row = itemReportRow(months, record, at);
        items.push(row);
        total = added(total, row);
        for (const outage of record.outages) outages.push(outageOf(row, outage, record, at));
        getOrMake(named, `${account}\0${row.name}`, () => []).push(row);
        for (const { name, ratio } of record.groups) {
          if (selected.size > 0 && !selected.has(name)) continue;
          if (isLeftOut(account, name)) {
            leftOut.add(name);
            continue;
          }
          const key = `${account}\0${name}`;
          const group = groups.get(key) ?? new GroupSums({ account, name }, days.ofGroup());
          groups.set(key, group);
          group.add(row, ratio, months.isIn(name, record));
        }
      }
    }
    if (total.items > 0) {
      const availability = shownAvailability(total);
      totals.push({ ...total, account, availability, before: undefined });
    }
  }
  for (const rows of named.values()) if (rows.length > 1) distinguish(rows);
  return {
    state,
    groups: [...groups].flatMap(([key, group]) => (partial.has(key) ? [] : group.row(state))),
    items,
    totals,
    outages,
    daysNotRead,
    groupNames,
    groupsLeftOut: [...leftOut].sort(),
  };
}

/** Items of one account and name are told apart by their hosts or, if these do not differ, by their ids. */
function distinguish(rows: readonly ItemReportRow[]): void {
  const hosts = new Set(rows.map(({ hostname }) => hostname));
  const areHosts = hosts.size === rows.length && !hosts.has(undefined);
  for (const row of rows) row.distinction = areHosts ? row.hostname : `id ${row.id}`;
}

/** By the share of the permitted downtime that was used; what was never tested comes last. */
async function mostBudgetUsedFirst(rows: readonly ReportRow[]): Promise<readonly ReportRow[]> {
  return await sortInTurns(
    rows,
    (a, b) => usedBudget(b) - usedBudget(a) || b.down - a.down || (a.name < b.name ? -1 : 1),
    yieldToEventLoop,
  );
}

function usedBudget({ up, down, objective }: ReportRow): number {
  return up + down === 0 ? -1 : down / ((up + down) * (1 - objective));
}
