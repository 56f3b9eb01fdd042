import { yieldToEventLoop } from '../lib/event-loop.ts';
import { sortInTurns } from '../lib/sort-in-turns.ts';
import type { ItemKind } from '../store/store.ts';
import { noSeconds } from '../tally/state-tally.ts';
import type { AccountMonths } from './account-months.ts';
import type { Month } from './calendar.ts';
import {
  beginsIn,
  type MonthOutage,
  type MonthRecord,
  outsideMaintenance,
  type ReadAfterwards,
  total,
} from './month-record.ts';
import { added, availabilityOf, marginOf, noItems, type Sums } from './sums.ts';

/** A line of the report: a group with the sums of its checks, a check or a transaction. */
export interface ReportRow extends Sums {
  readonly kind: 'group' | ItemKind;
  readonly account: string;
  /** Undefined for a group. */
  readonly id: number | undefined;
  readonly name: string;
  readonly groups: readonly string[];
  readonly tags: readonly string[];
  /** The share of the tested time outside maintenance that was up; undefined without such time. */
  readonly availability: number | undefined;
  readonly objective: number;
  /** The seconds down that the objective still permits; negative if it is missed. */
  readonly margin: number | undefined;
  /** Of its outages that count, the most frequent first; empty for a group. */
  readonly causes: readonly string[];
  readonly knownBy: MonthRecord['knownBy'] | undefined;
  readonly createdAtSeconds: number | undefined;
  readonly removedAtSeconds: number | undefined;
  /** Of a group: `whole` if all of its checks were wholly read afterwards. */
  readonly readAfterwards: ReadAfterwards | undefined;
  /** It exists now, so that it has a page. */
  readonly isListed: boolean;
}

export interface ReportOutage extends Pick<MonthOutage, 'fromSeconds' | 'causes' | 'maintenance'> {
  /** It began at an unknown time before `fromSeconds`. */
  readonly beganBefore: boolean;
  /** Undefined if it had not ended when the month was written. */
  readonly toSeconds: number | undefined;
  readonly account: string;
  readonly kind: ItemKind;
  readonly id: number;
  readonly name: string;
  /** False if it began in an earlier month, which counts it. */
  readonly isCounted: boolean;
  /** Its length so far, as far as it is known. */
  readonly seconds: number;
  /** The part of it that is in the month. */
  readonly secondsInMonth: number;
  /** The check or transaction exists now, so that it has a page. */
  readonly isListed: boolean;
}

/** The month of some accounts. */
export interface MonthReport {
  readonly month: Month;
  readonly zone: string;
  /** `present`: the month goes on, and names, groups and objectives are those of now. */
  readonly state: 'whole' | 'partial' | 'present';
  /** The worst first. */
  readonly groups: readonly ReportRow[];
  readonly items: readonly ReportRow[];
  /** Oldest first. */
  readonly outages: readonly ReportOutage[];
}

/** The parameters of a report as they were given, for links to its other forms. */
export interface ReportQuery {
  readonly accounts: readonly string[];
  readonly groups: readonly string[];
  readonly tags: readonly string[];
  /** Ids, or parts of names. */
  readonly checks: readonly string[];
}

export interface ReportSelection {
  /** Empty for all. */
  readonly groups: ReadonlySet<string>;
  readonly matches: (record: MonthRecord) => boolean;
  /** Whether the sums of groups are wanted. */
  readonly hasGroups: boolean;
}

/** Rejects with a `StoreError`. Yields to the event loop. */
export async function monthReport(
  accounts: readonly AccountMonths[],
  month: Month,
  zone: string,
  { groups: selected, matches, hasGroups }: ReportSelection,
): Promise<MonthReport> {
  const items: ReportRow[] = [];
  const outages: ReportOutage[] = [];
  const groups = new Map<string, GroupSums>();
  let state: MonthReport['state'] = 'whole';
  for (const months of accounts) {
    const { account } = months;
    const isPresent = month.toSeconds > months.nowSeconds;
    if (isPresent) state = 'present';
    else if (!isWhole(months, month) && state === 'whole') state = 'partial';
    for await (const batch of isPresent ? months.present(month) : months.stored(month)) {
      for (const record of batch) {
        if (!matches(record)) continue;
        if (selected.size > 0 && !record.groups.some(({ name }) => selected.has(name))) continue;
        const row = rowOf(months, record, month);
        items.push(row);
        for (const outage of record.outages) outages.push(outageOf(row, outage, record, month));
        for (const { name, ratio } of hasGroups ? record.groups : []) {
          if (selected.size > 0 && !selected.has(name)) continue;
          const key = `${account}\0${name}`;
          const { sums = noItems, isListed = false, read = [] } = groups.get(key) ?? {};
          if (record.readAfterwards !== undefined) read.push(record.readAfterwards);
          groups.set(key, {
            account,
            name,
            ratio,
            sums: added(sums, row),
            read,
            isListed: isListed || months.isIn(name, record),
          });
        }
      }
    }
  }
  const byBegin = (a: ReportOutage, b: ReportOutage) =>
    a.fromSeconds - b.fromSeconds || a.id - b.id;
  return {
    month,
    zone,
    state,
    groups: await worstFirst([...groups.values()].map(groupRow)),
    items: await worstFirst(items),
    outages: await sortInTurns(outages, byBegin, yieldToEventLoop),
  };
}

interface GroupSums {
  readonly account: string;
  readonly name: string;
  readonly ratio: number;
  readonly sums: Sums;
  readonly read: ReadAfterwards[];
  readonly isListed: boolean;
}

function groupRow({ account, name, ratio, sums, read, isListed }: GroupSums): ReportRow {
  return {
    ...sums,
    kind: 'group',
    account,
    id: undefined,
    name,
    groups: [],
    tags: [],
    objective: ratio,
    availability: availabilityOf(sums.up, sums.down),
    margin: marginOf(sums.up, sums.down, ratio),
    causes: [],
    knownBy: undefined,
    createdAtSeconds: undefined,
    removedAtSeconds: undefined,
    readAfterwards: readOf(read, sums.items),
    isListed,
  };
}

function readOf(read: readonly ReadAfterwards[], items: number): ReadAfterwards | undefined {
  if (read.length === 0) return undefined;
  const isWhole = read.length === items && read.every(({ share }) => share === 'whole');
  const atSeconds = read.reduce((latest, one) => Math.max(latest, one.atSeconds), 0);
  return { share: isWhole ? 'whole' : 'part', atSeconds };
}

function isWhole(months: AccountMonths, { name }: Month): boolean {
  return months.months.some((month) => month.name === name && month.isWhole);
}

function rowOf(months: AccountMonths, record: MonthRecord, month: Month): ReportRow {
  const { kind, id, name, groups, tags, objective, seconds } = record;
  const { maintenance = noSeconds, unwatched, folded = 0 } = record;
  const { knownBy, createdAtSeconds, removedAtSeconds, readAfterwards } = record;
  const { up, down } = outsideMaintenance(seconds, maintenance);
  const until = writtenUntil(record, month);
  let [outages, longestOutage] = [0, 0];
  for (const outage of record.outages) {
    if (outage.maintenance === 'whole' || !beginsIn(outage, month)) continue;
    outages += 1;
    longestOutage = Math.max(longestOutage, (outage.toSeconds ?? until) - outage.fromSeconds);
  }
  // Every field by its name: with tens of thousands of rows, copies of objects take seconds.
  return {
    kind,
    account: months.account,
    id,
    name,
    groups: groups.map((group) => group.name),
    tags,
    items: 1,
    up,
    down,
    outages,
    longestOutage,
    maintenance: total(maintenance),
    unknown: seconds.unknown,
    unmonitored: seconds.unmonitored,
    unwatched,
    folded,
    known: total(seconds),
    objective,
    availability: availabilityOf(up, down),
    margin: marginOf(up, down, objective),
    causes: causesIn(record, month),
    knownBy,
    createdAtSeconds,
    removedAtSeconds,
    readAfterwards,
    isListed: months.lists(record),
  };
}

function causesIn({ outages }: MonthRecord, month: Month): readonly string[] {
  const counts = new Map<string, number>();
  for (const outage of outages) {
    if (outage.maintenance === 'whole' || !beginsIn(outage, month)) continue;
    for (const cause of outage.causes) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([cause]) => cause);
}

/** The end of the month, or the time up to which the item is known so far, or existed. */
function writtenUntil({ seconds, unwatched, createdAtSeconds = 0 }: MonthRecord, month: Month) {
  return Math.max(month.fromSeconds, createdAtSeconds) + total(seconds) + unwatched;
}

function outageOf(
  { account, isListed }: ReportRow,
  outage: MonthOutage,
  record: MonthRecord,
  month: Month,
): ReportOutage {
  const { kind, id, name } = record;
  const { fromSeconds, beganBefore, toSeconds, causes, maintenance } = outage;
  const end = toSeconds ?? writtenUntil(record, month);
  return {
    account,
    kind,
    id,
    name,
    fromSeconds,
    beganBefore: beganBefore === true,
    toSeconds,
    causes,
    maintenance,
    isListed,
    isCounted: beginsIn(outage, month),
    seconds: end - fromSeconds,
    secondsInMonth: Math.min(end, month.toSeconds) - Math.max(fromSeconds, month.fromSeconds),
  };
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
