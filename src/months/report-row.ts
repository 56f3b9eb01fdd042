import type { Mutable } from '../lib/present.ts';
import { responseSeconds } from '../slo/response-months.ts';
import type { RangeSums } from '../slo/verdict.ts';
import {
  jointObjective,
  permittedSeconds,
  possibleSeconds,
  shownAvailability,
  type Verdict,
  verdictOf,
  verdictSoFar,
} from '../slo/verdict.ts';
import type { ItemKind } from '../store/store.ts';
import { noSeconds } from '../tally/state-tally.ts';
import type { AccountMonths, MonthPhase } from './account-months.ts';
import { causesIn, isKnownToLast, type ReportedMonth, secondsIn } from './month-outages.ts';
import {
  aheadSeconds,
  countsIn,
  type MonthOutage,
  type MonthRecord,
  type ReadAfterwards,
  rangeSumsOf,
  total,
} from './month-record.ts';
import type { GroupDays, ItemDays, LineDays, ReportDays } from './report-days.ts';
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
  /** If it left in the month. */
  readonly removedAtSeconds: number | undefined;
  /** It left, in the month or later, and is counted no further. */
  readonly hasLeft: boolean;
  /**
   * Where the counted time ends, if that is before the end of the month; of a group the earliest of
   * its checks that have not left.
   */
  readonly countedUntilSeconds: number | undefined;
  /** Of a group: `whole` if all of its checks were wholly read afterwards. */
  readonly readAfterwards: ReadAfterwards | undefined;
  /** It exists now, so that it has a page. */
  readonly isListed: boolean;
  /** It was first seen after the month, so that no list shows its name and groups of then. */
  readonly isSeenLater: boolean;
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

/** The same for a line of another month. */
export function lineKeyOf({
  account,
  kind,
  id,
  name,
}: Pick<ReportRow, 'account' | 'kind' | 'id' | 'name'>): string {
  return `${kind} ${id ?? name} ${account}`;
}

/** The line of a check or a transaction, while the report is made. */
export interface ItemReportRow extends Mutable<ReportRow> {
  readonly kind: ItemKind;
  readonly id: number;
  readonly days: ItemDays;
}

/** The average response time in a month. */
export interface ResponseTimes {
  readonly seconds: number;
  /** Undefined if no day is known well enough, or none that was slower than the average. */
  readonly slowestDay: { readonly date: string; readonly seconds: number } | undefined;
}

/** What a line, or the total of an account, had in the month before. */
export interface Before {
  /** Undefined unless at least half of that month is known. */
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
  /** It is known to last beyond the month, or up to now. */
  readonly goesOn: boolean;
}

/** Joins that of several items, or of several months of one: `whole` only if all of them are. */
export function jointReadAfterwards(
  all: readonly (ReadAfterwards | undefined)[],
): ReadAfterwards | undefined {
  const read = all.filter((one) => one !== undefined);
  if (read.length === 0) return undefined;
  const isWhole = read.length === all.length && read.every(({ share }) => share === 'whole');
  const atSeconds = read.reduce((latest, one) => Math.max(latest, one.atSeconds), 0);
  return { share: isWhole ? 'whole' : 'part', atSeconds };
}

/** What is shown of the sums of an item or a group. */
export type MonthFigures = Pick<ReportRow, 'availability' | 'verdict' | 'margin' | 'unwatched'>;

/** All forms of the report, and the bars of other months, read it from here. */
export function figuresOf(
  sums: RangeSums & Pick<Sums, 'ahead'>,
  objective: number,
  phase: MonthPhase,
): MonthFigures {
  const { up, down, unwatched, ahead } = sums;
  const isPresent = phase === 'present';
  const verdict = isPresent ? verdictSoFar(sums, objective, ahead) : verdictOf(sums, objective);
  const isOpen = verdict === undefined || verdict === 'undecided';
  const possible = isPresent ? possibleSeconds(sums, ahead) : up + down;
  return {
    unwatched,
    availability: shownAvailability(sums),
    verdict,
    margin: isOpen ? undefined : permittedSeconds(possible, objective) - down,
  };
}

export function itemReportRow(
  months: Pick<AccountMonths, 'account' | 'lists'>,
  record: MonthRecord,
  at: ReportedMonth & { readonly days: ReportDays },
): ItemReportRow {
  const { month, phase, days } = at;
  const { kind, id, name, hostname, groups, tags, objective, seconds } = record;
  const { maintenance = noSeconds, folded = 0, knownBy, readAfterwards } = record;
  const { createdAtSeconds, firstSeenSeconds, removedAtSeconds, countedUntilSeconds } = record;
  const { up, down, known, awaited, unwatched } = rangeSumsOf(record);
  const hasLeft = removedAtSeconds !== undefined;
  let [outages, longestOutage] = [0, 0];
  let carried: Carried | undefined;
  for (const outage of record.outages) {
    if (!countsIn(outage, month)) {
      carried = carriedOf(outage, record, at) ?? carried;
      continue;
    }
    outages += 1;
    longestOutage = Math.max(longestOutage, secondsIn(outage, record, month));
  }
  // Every field by its name: with tens of thousands of rows, copies of objects take seconds.
  const row: ItemReportRow = {
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
    ahead: aheadSeconds(record, month, phase === 'present'),
    outages,
    longestOutage,
    maintenance: total(maintenance),
    unknown: seconds.unknown,
    unmonitored: seconds.unmonitored,
    awaited,
    unwatched,
    folded,
    known,
    objective,
    availability: undefined,
    verdict: undefined,
    margin: undefined,
    causes: causesIn(record, month),
    knownBy: known > 0 ? knownBy : undefined,
    createdAtSeconds,
    firstSeenSeconds,
    // The record of an item that left before the month was sealed has when it did.
    removedAtSeconds: hasLeft && removedAtSeconds < month.toSeconds ? removedAtSeconds : undefined,
    hasLeft,
    countedUntilSeconds,
    readAfterwards,
    isListed: months.lists(record),
    isSeenLater: record.isSeenLater ?? false,
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
  const slowest = slowestMilliseconds / 1000;
  const date = place === undefined ? undefined : days.dateOf(place);
  // The hours of a slower day may be too few to name it.
  const isSlower = date !== undefined && slowest >= seconds;
  return { seconds, slowestDay: isSlower ? { date, seconds: slowest } : undefined };
}

/** Undefined if the outage does not count in an earlier month. */
function carriedOf(
  outage: MonthOutage,
  record: MonthRecord,
  at: ReportedMonth,
): Carried | undefined {
  const { month } = at;
  const { fromSeconds, beganBefore = false, toSeconds, maintenance } = outage;
  if (maintenance === 'whole' || fromSeconds > month.fromSeconds) return undefined;
  if (secondsIn(outage, record, month) === 0) return undefined;
  const goesOn =
    toSeconds === undefined ? isKnownToLast(outage, record, at) : toSeconds > month.toSeconds;
  return { fromSeconds, beganBefore, goesOn };
}

/** The sums of the checks of a group. */
export class GroupSums {
  readonly #account: string;
  readonly #name: string;
  readonly #days: GroupDays;
  #sums = noItems;
  /** Over several months, or after a reload, checks can have had different ones. */
  #objective: number | undefined;
  readonly #read: (ReadAfterwards | undefined)[] = [];
  #countedUntilSeconds: number | undefined;
  #isListed = false;

  constructor({ account, name }: Pick<ReportRow, 'account' | 'name'>, days: GroupDays) {
    this.#account = account;
    this.#name = name;
    this.#days = days;
  }

  add(row: ItemReportRow, ratio: number, isListed: boolean): void {
    this.#days.add(row.days);
    const before = this.#objective ?? ratio;
    this.#objective = jointObjective(
      [this.#sums, before, this.#sums.ahead],
      [row, ratio, row.ahead],
    );
    this.#sums = added(this.#sums, row);
    this.#read.push(row.readAfterwards);
    const until = row.hasLeft ? undefined : row.countedUntilSeconds;
    this.#countedUntilSeconds = earliest(this.#countedUntilSeconds, until);
    this.#isListed ||= isListed;
  }

  row(phase: MonthPhase): ReportRow {
    const sums = this.#sums;
    const objective = this.#objective ?? 0;
    return {
      ...sums,
      kind: 'group',
      account: this.#account,
      id: undefined,
      name: this.#name,
      distinction: undefined,
      hostname: undefined,
      groups: [],
      tags: [],
      objective,
      ...figuresOf(sums, objective, phase),
      causes: [],
      knownBy: undefined,
      createdAtSeconds: undefined,
      firstSeenSeconds: undefined,
      removedAtSeconds: undefined,
      hasLeft: false,
      countedUntilSeconds: this.#countedUntilSeconds,
      readAfterwards: jointReadAfterwards(this.#read),
      isListed: this.#isListed,
      isSeenLater: false,
      days: this.#days,
      response: undefined,
      responseHours: 0,
      carried: undefined,
      before: undefined,
    };
  }
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
