import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Month } from '../lib/month-calendar.ts';
import type { Mutable } from '../lib/present.ts';
import { sortInTurns } from '../lib/sort-in-turns.ts';
import {
  allowanceOf,
  shownAvailability,
  type Verdict,
  verdictOf,
  verdictSoFar,
} from '../slo/verdict.ts';
import type { ItemKind } from '../store/store.ts';
import { noSeconds } from '../tally/state-tally.ts';
import type { AccountMonths, MonthPhase } from './account-months.ts';
import { causesIn, outageOf, type ReportOutage, secondsIn } from './month-outages.ts';
import {
  countsIn,
  lengthOf,
  type MonthOutage,
  type MonthRecord,
  outsideMaintenance,
  type ReadAfterwards,
  total,
} from './month-record.ts';
import { type GroupDays, type ItemDays, type LineDays, ReportDays } from './report-days.ts';
import { responseSeconds } from './response-times.ts';
import { added, noItems, type Sums } from './sums.ts';

/** A line of the report: a group with the sums of its checks, a check or a transaction. */
export interface ReportRow extends Sums {
  readonly kind: 'group' | ItemKind;
  readonly account: string;
  /** Undefined for a group. */
  readonly id: number | undefined;
  readonly name: string;
  /** What tells it from another line of this name; undefined if there is none. */
  readonly distinction: string | undefined;
  readonly hostname: string | undefined;
  readonly groups: readonly string[];
  readonly tags: readonly string[];
  /** See `shownAvailability`. */
  readonly availability: number | undefined;
  readonly objective: number;
  readonly verdict: Verdict | undefined;
  /**
   * The seconds down that the objective still permits, negative if it is missed: in the tested time
   * of an ended month, or in all of a month that goes on. Undefined while the verdict is not known.
   */
  readonly margin: number | undefined;
  /** Of its outages that count, the most frequent first; empty for a group. */
  readonly causes: readonly string[];
  readonly knownBy: MonthRecord['knownBy'] | undefined;
  readonly createdAtSeconds: number | undefined;
  /** Without a known creation. */
  readonly firstSeenSeconds: number | undefined;
  readonly removedAtSeconds: number | undefined;
  /** Where the counted time ends, if that is before the end of the month; of a group the earliest. */
  readonly countedUntilSeconds: number | undefined;
  /** Of a group: `whole` if all of its checks were wholly read afterwards. */
  readonly readAfterwards: ReadAfterwards | undefined;
  /** It exists now, so that it has a page. */
  readonly isListed: boolean;
  /** The days of the month. */
  readonly days: LineDays;
  /** In seconds; undefined if less than a day of the response times was read, and for a group. */
  readonly response: ResponseTimes | undefined;
  /** Hours of which the response time was read. */
  readonly responseHours: number;
  /** Of its outages outside maintenance the last that began before the month; undefined for a group. */
  readonly carried: Carried | undefined;
  /** Undefined if nothing of it is known. */
  readonly before: Before | undefined;
}

/** The average response time in a month. */
export interface ResponseTimes {
  readonly seconds: number;
  /** Undefined if no day is known well enough. */
  readonly slowestDay: { readonly fromSeconds: number; readonly seconds: number } | undefined;
}

/** What a line, or the total of an account, had in the month before. */
export interface Before {
  readonly availability: number | undefined;
  /** Undefined unless all of that month is known. */
  readonly down: number | undefined;
  readonly outages: number | undefined;
  /** The average response time in seconds; undefined for a group and a total. */
  readonly response: number | undefined;
}

/** An outage that is in the month, and counts in an earlier one. */
export interface Carried {
  readonly fromSeconds: number;
  /** It began at an unknown time before that. */
  readonly beganBefore: boolean;
  /** It was not over when the month ended, or has not ended. */
  readonly goesOn: boolean;
}

/** The sums of all lines of an account. */
export interface AccountTotal extends Sums {
  readonly account: string;
  /** See `shownAvailability`. */
  readonly availability: number | undefined;
  readonly before: Before | undefined;
}

/** The month of some accounts. */
export interface MonthReport {
  readonly month: Month;
  /** `present`: the month goes on, and names, groups and objectives are those of now. */
  readonly state: MonthPhase;
  /** Until when the item is counted that is counted furthest. */
  readonly countedUntilSeconds: number;
  /** The worst first. */
  readonly groups: readonly ReportRow[];
  readonly items: readonly ReportRow[];
  readonly totals: readonly AccountTotal[];
  /** With which it is compared; undefined if nothing of it is known. */
  readonly monthBefore: Month | undefined;
  /** Oldest first. */
  readonly outages: readonly ReportOutage[];
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

export interface ReportSelection {
  /** Empty for all. */
  readonly groups: ReadonlySet<string>;
  readonly matches: (record: MonthRecord) => boolean;
  /** Whether the sums of groups are wanted. */
  readonly hasGroups: boolean;
  /** Whether the group is one of more than `max_groups`, of which metrics and views have nothing. */
  readonly isLeftOut: (account: string, group: string) => boolean;
}

/** The months of an account, as far as a report needs them. */
export interface ReportMonths
  extends Pick<AccountMonths, 'account' | 'nowSeconds' | 'phaseOf' | 'records' | 'isIn' | 'lists'> {
  readonly calendar: Pick<AccountMonths['calendar'], 'dayBegins'>;
}

/** Rejects with a `StoreError`. Yields to the event loop. */
export async function monthReport(
  accounts: readonly ReportMonths[],
  month: Month,
  selection: ReportSelection,
): Promise<MonthReport> {
  const { outages, ...lines } = await monthLines(accounts, month, selection);
  const { items, groups } = lines;
  const byBegin = (a: ReportOutage, b: ReportOutage) =>
    a.fromSeconds - b.fromSeconds || a.id - b.id;
  return {
    ...lines,
    month,
    countedUntilSeconds: items.reduce(
      (latest, row) => Math.max(latest, row.countedUntilSeconds ?? month.toSeconds),
      month.fromSeconds,
    ),
    groups: await worstFirst(groups),
    items: await worstFirst(items),
    monthBefore: undefined,
    outages: await sortInTurns(outages, byBegin, yieldToEventLoop),
  };
}

/**
 * The parts of a report, in the order of the records. Rejects with a `StoreError`. Yields to the event
 * loop.
 */
export async function monthLines(
  accounts: readonly ReportMonths[],
  month: Month,
  { groups: selected, matches, hasGroups, isLeftOut }: ReportSelection,
): Promise<Omit<MonthReport, 'month' | 'monthBefore' | 'countedUntilSeconds'>> {
  const items: ReportRow[] = [];
  const outages: ReportOutage[] = [];
  /** By account and name. */
  const named = new Map<string, Line[]>();
  const groups = new Map<string, GroupSums>();
  const groupNames = new Set<string>();
  const leftOut = new Set<string>();
  const totals: AccountTotal[] = [];
  let state: MonthReport['state'] = 'whole';
  const days = new ReportDays(month, accounts[0]?.calendar.dayBegins(month) ?? []);
  for (const months of accounts) {
    const { account } = months;
    const phase = months.phaseOf(month);
    if (phase === 'present' || state === 'whole') state = phase;
    let total = noItems;
    for await (const batch of months.records(month)) {
      for (const record of batch) {
        for (const { name } of record.groups) groupNames.add(name);
        if (!matches(record)) continue;
        if (selected.size > 0 && !record.groups.some(({ name }) => selected.has(name))) continue;
        const row = rowOf(months, record, { month, phase, days });
        items.push(row);
        total = added(total, row);
        const line = {
          row,
          outages: record.outages.map((outage) => outageOf(row, outage, record, month)),
        };
        outages.push(...line.outages);
        const same = named.get(`${account}\0${row.name}`);
        if (same === undefined) named.set(`${account}\0${row.name}`, [line]);
        else same.push(line);
        for (const { name, ratio } of hasGroups ? record.groups : []) {
          if (selected.size > 0 && !selected.has(name)) continue;
          if (isLeftOut(account, name)) {
            leftOut.add(name);
            continue;
          }
          const key = `${account}\0${name}`;
          const known = groups.get(key);
          const { sums = noItems, isListed = false, read = [] } = known ?? {};
          if (record.readAfterwards !== undefined) read.push(record.readAfterwards);
          const ofGroup = known?.days ?? days.ofGroup();
          ofGroup.add(row.days);
          groups.set(key, {
            account,
            name,
            ratio,
            isOneRatio: known === undefined || (known.isOneRatio && known.ratio === ratio),
            allowed: (known?.allowed ?? 0) + allowanceOf(row, ratio, row.ahead),
            sums: added(sums, row),
            read,
            countedUntilSeconds: earliest(known?.countedUntilSeconds, row.countedUntilSeconds),
            isListed: isListed || months.isIn(name, record),
            days: ofGroup,
          });
        }
      }
    }
    if (total.items > 0) {
      const availability = shownAvailability(total);
      totals.push({ ...total, account, availability, before: undefined });
    }
  }
  for (const lines of named.values()) if (lines.length > 1) distinguish(lines);
  return {
    state,
    groups: [...groups.values()].map((group) => groupRow(group, state)),
    items,
    totals,
    outages,
    groupNames,
    groupsLeftOut: [...leftOut].sort(),
  };
}

interface GroupSums {
  readonly account: string;
  readonly name: string;
  /** Of its last check; over several months, checks can have had different ones. */
  readonly ratio: number;
  readonly isOneRatio: boolean;
  /** The downtime that the objective permits, in seconds. */
  readonly allowed: number;
  readonly sums: Sums;
  readonly read: ReadAfterwards[];
  readonly countedUntilSeconds: number | undefined;
  readonly isListed: boolean;
  readonly days: GroupDays;
}

function groupRow(
  { account, name, sums, read, countedUntilSeconds, isListed, days, ...objective }: GroupSums,
  phase: MonthPhase,
): ReportRow {
  const possible = allowanceOf(sums, 0, sums.ahead);
  const isOne = objective.isOneRatio || possible === 0;
  const ratio = isOne ? objective.ratio : 1 - objective.allowed / possible;
  return {
    ...sums,
    kind: 'group',
    account,
    id: undefined,
    name,
    distinction: undefined,
    hostname: undefined,
    groups: [],
    tags: [],
    objective: ratio,
    ...figuresOf(sums, ratio, phase),
    causes: [],
    knownBy: undefined,
    createdAtSeconds: undefined,
    firstSeenSeconds: undefined,
    removedAtSeconds: undefined,
    countedUntilSeconds,
    readAfterwards: readOf(read, sums.items),
    isListed,
    days,
    response: undefined,
    responseHours: 0,
    carried: undefined,
    before: undefined,
  };
}

function readOf(read: readonly ReadAfterwards[], items: number): ReadAfterwards | undefined {
  if (read.length === 0) return undefined;
  const isWhole = read.length === items && read.every(({ share }) => share === 'whole');
  const atSeconds = read.reduce((latest, one) => Math.max(latest, one.atSeconds), 0);
  return { share: isWhole ? 'whole' : 'part', atSeconds };
}

/** What is shown of the sums of an item or a group: all forms of the report read it from here. */
function figuresOf(
  sums: Sums,
  objective: number,
  phase: MonthPhase,
): Pick<ReportRow, 'availability' | 'verdict' | 'margin'> {
  const { up, down, awaited, unwatched, ahead } = sums;
  const isPresent = phase === 'present';
  const verdict = isPresent ? verdictSoFar(sums, objective, ahead) : verdictOf(sums, objective);
  const isOpen = verdict === undefined || verdict === 'undecided';
  const possible = isPresent ? up + down + awaited + unwatched + ahead : up + down;
  return {
    availability: shownAvailability(sums),
    verdict,
    margin: isOpen ? undefined : possible * (1 - objective) - down,
  };
}

function rowOf(
  months: ReportMonths,
  record: MonthRecord,
  { month, phase, days }: { month: Month; phase: MonthPhase; days: ReportDays },
): Mutable<ReportRow> & { readonly days: ItemDays } {
  const { kind, id, name, hostname, groups, tags, objective, seconds } = record;
  const { maintenance = noSeconds, folded = 0, knownBy, readAfterwards } = record;
  const { createdAtSeconds, firstSeenSeconds, removedAtSeconds, countedUntilSeconds } = record;
  const { up, down } = outsideMaintenance(seconds, maintenance);
  const awaited = lengthOf(record.awaited);
  let [outages, longestOutage] = [0, 0];
  let carried: Carried | undefined;
  for (const outage of record.outages) {
    if (!countsIn(outage, month)) {
      carried = carriedOf(outage, record, month) ?? carried;
      continue;
    }
    outages += 1;
    longestOutage = Math.max(longestOutage, secondsIn(outage, record, month));
  }
  const isAhead = phase === 'present' && removedAtSeconds === undefined;
  // Every field by its name: with tens of thousands of rows, copies of objects take seconds.
  const row: Mutable<ReportRow> & { readonly days: ItemDays } = {
    kind,
    account: months.account,
    id,
    name,
    distinction: undefined,
    hostname,
    groups: groups.map((group) => group.name),
    tags,
    items: 1,
    awaitedItems: awaited > 0 ? 1 : 0,
    up,
    down,
    ahead: isAhead ? month.toSeconds - (countedUntilSeconds ?? month.toSeconds) : 0,
    outages,
    longestOutage,
    maintenance: total(maintenance),
    unknown: seconds.unknown,
    unmonitored: seconds.unmonitored,
    awaited,
    unwatched: lengthOf(record.unwatched),
    folded,
    known: total(seconds),
    objective,
    availability: undefined,
    verdict: undefined,
    margin: undefined,
    causes: causesIn(record, month),
    knownBy: total(seconds) > 0 ? knownBy : undefined,
    createdAtSeconds,
    firstSeenSeconds,
    removedAtSeconds,
    countedUntilSeconds,
    readAfterwards,
    isListed: months.lists(record),
    days: days.of(record),
    response: responseOf(record, days),
    responseHours: record.responseTimes?.hours ?? 0,
    carried,
    before: undefined,
  };
  const figures = figuresOf(row, objective, phase);
  row.availability = figures.availability;
  row.verdict = figures.verdict;
  row.margin = figures.margin;
  return row;
}

function responseOf({ responseTimes }: MonthRecord, days: ReportDays): ResponseTimes | undefined {
  const seconds = responseSeconds(responseTimes);
  if (seconds === undefined) return undefined;
  const { slowestDay: place, slowestMilliseconds = 0 } = responseTimes ?? {};
  const fromSeconds = place === undefined ? undefined : days.beginOf(place);
  const slowestDay = fromSeconds && { fromSeconds, seconds: slowestMilliseconds / 1000 };
  return { seconds, slowestDay: slowestDay || undefined };
}

/** Undefined if the outage does not count in an earlier month. */
function carriedOf(outage: MonthOutage, record: MonthRecord, month: Month): Carried | undefined {
  const { fromSeconds, beganBefore = false, toSeconds, maintenance } = outage;
  if (maintenance === 'whole' || fromSeconds > month.fromSeconds) return undefined;
  if (secondsIn(outage, record, month) === 0) return undefined;
  const goesOn = toSeconds === undefined || toSeconds >= month.toSeconds;
  return { fromSeconds, beganBefore, goesOn };
}

/** The line of an item, and those of its outages. */
interface Line {
  readonly row: Mutable<ReportRow>;
  readonly outages: readonly Mutable<ReportOutage>[];
}

/** Items of one account and name are told apart by their hosts or, if these do not differ, by their ids. */
function distinguish(lines: readonly Line[]): void {
  const hosts = new Set(lines.map(({ row }) => row.hostname));
  const areHosts = hosts.size === lines.length && !hosts.has(undefined);
  for (const { row, outages } of lines) {
    row.distinction = areHosts ? row.hostname : `id ${row.id}`;
    for (const outage of outages) outage.distinction = row.distinction;
  }
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

/** By the share of the permitted downtime that was used; what was never tested comes last. */
async function worstFirst(rows: readonly ReportRow[]): Promise<readonly ReportRow[]> {
  return await sortInTurns(
    rows,
    (a, b) => usedBudget(b) - usedBudget(a) || b.down - a.down || (a.name < b.name ? -1 : 1),
    yieldToEventLoop,
  );
}

function usedBudget({ up, down, objective }: ReportRow): number {
  return up + down === 0 ? -1 : down / ((up + down) * (1 - objective));
}
