import type { CheckTag } from '../domain/check.ts';
import type { ItemKind } from '../store/store.ts';
import { noSeconds } from '../tally/state-tally.ts';
import type { AccountMonths } from './account-months.ts';
import type { Month } from './calendar.ts';
import {
  beginsIn,
  type MonthOutage,
  type MonthRecord,
  outsideMaintenance,
  total,
} from './month-record.ts';

/** What is added up of items. Seconds. */
interface Sums {
  readonly items: number;
  /** Up and down outside maintenance. */
  readonly up: number;
  readonly down: number;
  /** Outages that began in the month and were not wholly in maintenance. */
  readonly outages: number;
  readonly longestOutage: number;
  readonly maintenance: number;
  /** The service did not know the state. */
  readonly unknown: number;
  /** Paused, or never tested so far. */
  readonly unmonitored: number;
  /** The exporter does not know the state. */
  readonly unwatched: number;
  /** Known only as sums by the hour: outages in them are not counted. */
  readonly folded: number;
  readonly known: number;
}

/** A line of the report: a group with the sums of its checks, a check or a transaction. */
export interface ReportRow extends Sums {
  readonly kind: 'group' | ItemKind;
  readonly account: string;
  /** Absent for a group. */
  readonly id?: number;
  readonly name: string;
  readonly groups: readonly string[];
  readonly tags: readonly string[];
  /** The share of the tested time outside maintenance that was up; absent without such time. */
  readonly availability?: number;
  readonly objective: number;
  /** The seconds down that the objective still permits; negative if it is missed. */
  readonly margin?: number;
  readonly knownBy?: MonthRecord['knownBy'];
  readonly createdAtSeconds?: number;
  readonly removedAtSeconds?: number;
  /** It exists now, so that it has a page. */
  readonly isListed: boolean;
}

export interface ReportOutage extends MonthOutage {
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
}

export interface ReportSelection {
  readonly groups: ReadonlySet<string>;
  readonly hasTag: (tags: readonly Pick<CheckTag, 'name'>[]) => boolean;
}

/** Rejects with a `StoreError`. Yields to the event loop. */
export async function monthReport(
  accounts: readonly AccountMonths[],
  month: Month,
  zone: string,
  { groups: selected, hasTag }: ReportSelection,
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
        if (!hasTag(record.tags.map((name) => ({ name })))) continue;
        if (selected.size > 0 && !record.groups.some(({ name }) => selected.has(name))) continue;
        const row = rowOf(months, record, month);
        items.push(row);
        for (const outage of record.outages) outages.push(outageOf(row, outage, record, month));
        for (const { name, ratio } of record.groups) {
          if (selected.size > 0 && !selected.has(name)) continue;
          const key = `${account}\0${name}`;
          const { sums = noItems, isListed = false } = groups.get(key) ?? {};
          groups.set(key, {
            ...{ account, name, ratio, sums: added(sums, row) },
            isListed: isListed || months.isIn(name, record),
          });
        }
      }
    }
  }
  outages.sort((a, b) => a.fromSeconds - b.fromSeconds || a.id - b.id);
  return {
    ...{ month, zone, state, outages, items: worstFirst(items) },
    groups: worstFirst([...groups.values()].map(groupRow)),
  };
}

interface GroupSums {
  readonly account: string;
  readonly name: string;
  readonly ratio: number;
  readonly sums: Sums;
  readonly isListed: boolean;
}

function groupRow({ account, name, ratio, sums, isListed }: GroupSums): ReportRow {
  return {
    ...{ kind: 'group', account, name, groups: [], tags: [], isListed },
    ...withStanding(sums, ratio),
  };
}

function isWhole(months: AccountMonths, { name }: Month): boolean {
  return months.months.some((month) => month.name === name && month.isWhole);
}

function rowOf(months: AccountMonths, record: MonthRecord, month: Month): ReportRow {
  const { kind, id, name, groups, tags, objective } = record;
  const { knownBy, createdAtSeconds, removedAtSeconds } = record;
  return {
    ...{ kind, account: months.account, id, name, tags },
    ...{ groups: groups.map((group) => group.name), isListed: months.lists(record) },
    ...withStanding(sumsOf(record, month), objective),
    knownBy,
    ...(createdAtSeconds !== undefined && { createdAtSeconds }),
    ...(removedAtSeconds !== undefined && { removedAtSeconds }),
  };
}

function sumsOf(record: MonthRecord, month: Month): Sums {
  const { seconds, maintenance = noSeconds, unwatched, folded = 0 } = record;
  const counted = record.outages.filter(
    (outage) => outage.maintenance !== 'whole' && beginsIn(outage, month),
  );
  const until = writtenUntil(record, month);
  const longestOutage = counted.reduce(
    (most, { fromSeconds, toSeconds = until }) => Math.max(most, toSeconds - fromSeconds),
    0,
  );
  return {
    ...outsideMaintenance(seconds, maintenance),
    ...{ items: 1, outages: counted.length, longestOutage, maintenance: total(maintenance) },
    ...{ unknown: seconds.unknown, unmonitored: seconds.unmonitored, unwatched, folded },
    known: total(seconds),
  };
}

/** The end of the month, or the time up to which the item is known so far, or existed. */
function writtenUntil({ seconds, unwatched, createdAtSeconds = 0 }: MonthRecord, month: Month) {
  return Math.max(month.fromSeconds, createdAtSeconds) + total(seconds) + unwatched;
}

const noItems: Sums = {
  ...{ items: 0, up: 0, down: 0, outages: 0, longestOutage: 0, maintenance: 0 },
  ...{ unknown: 0, unmonitored: 0, unwatched: 0, folded: 0, known: 0 },
};

function added(a: Sums, b: Sums): Sums {
  return {
    items: a.items + b.items,
    up: a.up + b.up,
    down: a.down + b.down,
    outages: a.outages + b.outages,
    longestOutage: Math.max(a.longestOutage, b.longestOutage),
    maintenance: a.maintenance + b.maintenance,
    unknown: a.unknown + b.unknown,
    unmonitored: a.unmonitored + b.unmonitored,
    unwatched: a.unwatched + b.unwatched,
    folded: a.folded + b.folded,
    known: a.known + b.known,
  };
}

function withStanding(sums: Sums, objective: number) {
  const tested = sums.up + sums.down;
  if (tested === 0) return { ...sums, objective };
  const margin = tested * (1 - objective) - sums.down;
  return { ...sums, objective, availability: sums.up / tested, margin };
}

function outageOf(
  { account, isListed }: ReportRow,
  outage: MonthOutage,
  record: MonthRecord,
  month: Month,
): ReportOutage {
  const { kind, id, name } = record;
  const end = outage.toSeconds ?? writtenUntil(record, month);
  return {
    ...{ ...outage, account, kind, id, name, isListed },
    isCounted: beginsIn(outage, month),
    seconds: end - outage.fromSeconds,
    secondsInMonth:
      Math.min(end, month.toSeconds) - Math.max(outage.fromSeconds, month.fromSeconds),
  };
}

/** By the share of the permitted downtime that was used; what was never tested comes last. */
export function worstFirst(rows: readonly ReportRow[]): readonly ReportRow[] {
  return rows
    .map((row) => ({ row, used: usedBudget(row) }))
    .sort(
      (a, b) => b.used - a.used || b.row.down - a.row.down || (a.row.name < b.row.name ? -1 : 1),
    )
    .map(({ row }) => row);
}

function usedBudget({ up, down, objective }: ReportRow): number {
  return up + down === 0 ? -1 : down / ((up + down) * (1 - objective));
}
