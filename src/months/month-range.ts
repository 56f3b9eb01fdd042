import type { Month, NamedMonth } from '../lib/month-calendar.ts';
import type { Mutable } from '../lib/present.ts';
import { joinedResponses, type ResponseMonth } from '../slo/response-months.ts';
import { jointObjective } from '../slo/verdict.ts';
import { noSeconds } from '../tally/state-tally.ts';
import type { DaySum } from './day-sums.ts';
import { addedSeconds, joinedOutages, openUntil } from './joined-months.ts';
import { countedEnd } from './month-outages.ts';
import {
  aheadSeconds,
  type GroupObjective,
  type MonthRecord,
  rangeSumsOf,
  total,
} from './month-record.ts';
import type { OutageLimit } from './outage-limit.ts';
import type { ReportMonths } from './report.ts';
import { jointReadAfterwards } from './report-row.ts';

const separator = '_';

/** Months in a row as one time, with a name such as `2026-01_2026-03`. */
export function rangeOf(months: readonly Month[]): Month {
  const [first] = months;
  const last = months.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('a range has a month');
  const name = `${first.name}${separator}${last.name}`;
  return { ...last, name, fromSeconds: first.fromSeconds };
}

export function isRange({ name }: NamedMonth): boolean {
  return name.includes(separator);
}

/** The names of the first and the last of some months in a row, or of the only one. */
export function endNames({ name }: NamedMonth): readonly string[] {
  return name.split(separator);
}

/** The query that selects a month, or months in a row, in a link to a report. */
export function monthQuery(month: NamedMonth): Readonly<Record<string, string>> {
  const [from = '', to] = endNames(month);
  return to === undefined ? { month: from } : { from, to };
}

/** The months of an account as one: a record for each item, with all of its months. */
export function rangeMonths(
  account: ReportMonths,
  months: readonly Month[],
  limit: OutageLimit,
): ReportMonths {
  const range = rangeOf(months);
  const phases = () => months.map((month) => account.phaseOf(month));
  const dayBegins = months.flatMap((month) => account.calendar.dayBegins(month));
  return {
    account: account.account,
    nowSeconds: account.nowSeconds,
    calendar: { dayBegins: () => dayBegins },
    isIn: (group, record) => account.isIn(group, record),
    lists: (record) => account.lists(record),
    phaseOf: () => {
      const all = phases();
      if (all.at(-1) === 'present') return 'present';
      return all.every((phase) => phase === 'whole') ? 'whole' : 'partial';
    },
    daysNotRead: () => months.map((month) => account.daysNotRead(month)).find(Boolean),
    records: async function* () {
      const end = Math.min(range.toSeconds, account.nowSeconds);
      const parts = partsOf(account, months);
      // Item by item, because all records of a year need more memory than the report.
      for await (const batch of account.records(months)) {
        const joined = new Map<number, Joined>();
        for (const [place, part] of parts.entries()) {
          for (const record of batch[place] ?? []) {
            limit.add(record.outages.length);
            const former = joined.get(record.id);
            if (former !== undefined) join(former, record, part);
            else joined.set(record.id, begun(moved(record, part.places), part.month, range));
          }
        }
        yield [[...joined.values()].map((one) => ended(one, end))];
      }
    },
  };
}

/** A month of a range. */
interface Part {
  readonly month: Month;
  readonly isPresent: boolean;
  /** How many days of the range are before it. */
  readonly places: number;
}

function partsOf(account: ReportMonths, months: readonly Month[]): readonly Part[] {
  let places = 0;
  return months.map((month) => {
    const part = { month, isPresent: account.phaseOf(month) === 'present', places };
    places += account.calendar.dayBegins(month).length;
    return part;
  });
}

interface Joined {
  readonly record: Mutable<MonthRecord>;
  /** The last month that is in it. */
  month: Month;
}

/** The days of a month have their places in all of the months. */
function movedDays(days: readonly DaySum[], places: number): readonly DaySum[] {
  if (places === 0) return days;
  return days.map(({ place, ...sums }): DaySum => ({ place: place + places, ...sums }));
}

function movedTimes(times: ResponseMonth, places: number): ResponseMonth {
  const { slowestDay } = times;
  if (slowestDay === undefined || places === 0) return times;
  return { ...times, slowestDay: slowestDay + places };
}

/** The first record of an item, which is changed by later ones. */
function moved(record: MonthRecord, places: number): Mutable<MonthRecord> {
  const { days, responseTimes } = record;
  return {
    ...record,
    ...(days !== undefined && { days: movedDays(days, places) }),
    ...(responseTimes !== undefined && { responseTimes: movedTimes(responseTimes, places) }),
  };
}

/** An item that existed before its first record was not watched then. */
function begun(record: Mutable<MonthRecord>, month: Month, range: Month): Joined {
  const isYoung = (record.createdAtSeconds ?? record.firstSeenSeconds) !== undefined;
  if (!isYoung && range.fromSeconds < month.fromSeconds) {
    const gap = { fromSeconds: range.fromSeconds, toSeconds: month.fromSeconds };
    record.unwatched = [gap, ...record.unwatched];
  }
  return { record, month };
}

/** An item that has not left is not watched in the months of which it has no record. */
function ended({ record, month }: Joined, endSeconds: number): MonthRecord {
  if (record.removedAtSeconds !== undefined || month.toSeconds >= endSeconds) return record;
  const gap = { fromSeconds: month.toSeconds, toSeconds: endSeconds };
  const outages = openUntil(record.outages, countedEnd(record, month));
  return { ...record, outages, unwatched: [...record.unwatched, gap] };
}

/**
 * Adds a later month. Names, tags and groups are those of the later one, objectives those of each.
 * The record is changed in place: copies of hundreds of thousands of records take seconds.
 */
function join(joined: Joined, b: MonthRecord, { month, isPresent, places }: Part): void {
  const a = joined.record;
  const gapFrom = a.removedAtSeconds ?? joined.month.toSeconds;
  const gapTo = b.createdAtSeconds ?? b.firstSeenSeconds ?? month.fromSeconds;
  const gap = gapFrom < gapTo ? [{ fromSeconds: gapFrom, toSeconds: gapTo }] : [];
  const ahead = aheadSeconds(b, month, isPresent);
  const weighted = (before: number, after: number) =>
    jointObjective([rangeSumsOf(a), before], [rangeSumsOf(b), after, ahead]);
  a.groups = b.groups.map((group): GroupObjective => {
    const before = a.groups.find(({ name }) => name === group.name)?.ratio ?? group.ratio;
    return before === group.ratio ? group : { ...group, ratio: weighted(before, group.ratio) };
  });
  if (a.objective !== b.objective) a.objective = weighted(a.objective, b.objective);
  a.name = b.name;
  a.tags = b.tags;
  if (!b.isSeenLater) delete a.isSeenLater;
  a.seconds = addedSeconds(a.seconds, b.seconds);
  if (b.maintenance) a.maintenance = addedSeconds(a.maintenance ?? noSeconds, b.maintenance);
  if (b.awaited.length > 0) a.awaited = [...a.awaited, ...b.awaited];
  if (gap.length + b.unwatched.length > 0) a.unwatched = [...a.unwatched, ...gap, ...b.unwatched];
  if (b.folded !== undefined) a.folded = (a.folded ?? 0) + b.folded;
  if (b.days !== undefined) a.days = [...(a.days ?? []), ...movedDays(b.days, places)];
  // While nothing of the later month is counted, an open outage goes on as before.
  const isOver = a.removedAtSeconds !== undefined || total(b.seconds) > 0;
  if (isOver) a.outages = openUntil(a.outages, countedEnd(a, joined.month));
  if (b.outages.length > 0) a.outages = joinedOutages(a.outages, b.outages, month.fromSeconds);
  if (b.responseTimes !== undefined) {
    const times = movedTimes(b.responseTimes, places);
    a.responseTimes =
      a.responseTimes === undefined ? times : joinedResponses(a.responseTimes, times);
  }
  if (b.knownBy === 'reports') a.knownBy = b.knownBy;
  const read = jointReadAfterwards([a.readAfterwards, b.readAfterwards]);
  if (read !== undefined) a.readAfterwards = read;
  for (const name of ['hostname', 'removedAtSeconds', 'countedUntilSeconds'] as const) {
    const value = b[name];
    if (value !== undefined) Object.assign(a, { [name]: value });
    else if (a[name] !== undefined) delete a[name];
  }
  joined.month = month;
}
