import type { TimeRange } from '../domain/interval.ts';
import type { Month } from '../lib/month-calendar.ts';
import type { Mutable } from '../lib/present.ts';
import { placeAt } from '../lib/zoned-times.ts';
import type { DaySum } from './day-sums.ts';
import type { MonthRecord } from './month-record.ts';

/** A day of a line of the report. Seconds. */
export interface ReportDay {
  /** When it begins, in UNIX seconds. */
  readonly fromSeconds: number;
  /** Down outside maintenance. */
  readonly down: number;
  /** Up or down outside maintenance. */
  readonly counted: number;
  /** Awaited, or not watched. */
  readonly notKnown: number;
}

/** The days of a line, which are computed when they are asked for: few lines are shown. */
export interface LineDays {
  all(): readonly ReportDay[];
}

/** The days of a month, by line. */
export class ReportDays {
  readonly #month: Month;
  readonly #begins: readonly number[];

  constructor(month: Month, begins: readonly number[]) {
    this.#month = month;
    this.#begins = begins;
  }

  of(record: MonthRecord): ItemDays {
    const { days = [], awaited, unwatched } = record;
    const { createdAtSeconds, firstSeenSeconds, removedAtSeconds, countedUntilSeconds } = record;
    const { fromSeconds, toSeconds } = this.#month;
    const known = {
      fromSeconds: createdAtSeconds ?? firstSeenSeconds ?? fromSeconds,
      toSeconds: Math.min(countedUntilSeconds ?? toSeconds, removedAtSeconds ?? toSeconds),
    };
    const gaps = awaited.length === 0 ? unwatched : [...awaited, ...unwatched];
    const isWhole = known.fromSeconds <= fromSeconds && known.toSeconds >= toSeconds;
    return new ItemDays(this, days, isWhole && gaps.length === 0 ? undefined : { gaps, known });
  }

  /** When a day begins, in UNIX seconds. */
  beginOf(place: number): number | undefined {
    return this.#begins[place];
  }

  ofGroup(): GroupDays {
    return new GroupDays(this, this.#begins.length);
  }

  /** The days of which some sums are known. */
  daysOf(sums: readonly DaySum[], { gaps, known }: Known = { gaps: [], known: this.#month }) {
    const length = this.#begins.length;
    const [ofKnown, ofGaps, knownGaps] = [zeros(length), zeros(length), zeros(length)];
    this.#spread(known, ofKnown);
    for (const gap of gaps) {
      this.#spread(gap, ofGaps);
      const fromSeconds = Math.max(gap.fromSeconds, known.fromSeconds);
      const toSeconds = Math.min(gap.toSeconds, known.toSeconds);
      this.#spread({ fromSeconds, toSeconds }, knownGaps);
    }
    const days = this.#begins.map((fromSeconds, place): Mutable<ReportDay> => {
      const counted = (ofKnown[place] ?? 0) - (knownGaps[place] ?? 0);
      return { fromSeconds, down: 0, counted, notKnown: ofGaps[place] ?? 0 };
    });
    for (const { place, down, uncounted } of sums) {
      const day = days[place];
      if (day === undefined) continue;
      day.down += down;
      day.counted -= uncounted;
    }
    return days;
  }

  /** Adds the seconds of a range to the days in which they are. */
  #spread({ fromSeconds, toSeconds }: TimeRange, sums: number[]): void {
    const begin = Math.max(fromSeconds, this.#month.fromSeconds);
    const end = Math.min(toSeconds, this.#month.toSeconds);
    let place = placeAt(this.#begins, begin);
    for (let at = begin; at < end; place += 1) {
      const next = Math.min(end, this.#begins[place + 1] ?? end);
      sums[place] = (sums[place] ?? 0) + next - at;
      at = next;
    }
  }
}

/** What is known of a month of which not all is. */
interface Known {
  /** What of it is awaited or was not watched. */
  readonly gaps: readonly TimeRange[];
  readonly known: TimeRange;
}

export class ItemDays implements LineDays {
  readonly #month: ReportDays;
  readonly sums: readonly DaySum[];
  /** Undefined if all of the month is known. */
  readonly known: Known | undefined;

  constructor(month: ReportDays, sums: readonly DaySum[], known: Known | undefined) {
    this.#month = month;
    this.sums = sums;
    this.known = known;
  }

  all(): readonly ReportDay[] {
    return this.#month.daysOf(this.sums, this.known);
  }
}

/** The sums of the days of some items. */
export class GroupDays implements LineDays {
  readonly #month: ReportDays;
  /** Items of which all of the month is known: their number, and what was not up. */
  #whole = 0;
  readonly #down: number[];
  readonly #uncounted: number[];
  #others: Mutable<ReportDay>[] = [];

  constructor(month: ReportDays, length: number) {
    this.#month = month;
    this.#down = zeros(length);
    this.#uncounted = zeros(length);
  }

  add(item: ItemDays): void {
    if (item.known !== undefined) {
      this.#others = added(this.#others, item.all());
      return;
    }
    this.#whole += 1;
    for (const { place, down, uncounted } of item.sums) {
      this.#down[place] = (this.#down[place] ?? 0) + down;
      this.#uncounted[place] = (this.#uncounted[place] ?? 0) + uncounted;
    }
  }

  all(): readonly ReportDay[] {
    const days = this.#month.daysOf([]).map(({ fromSeconds, counted }, place) => ({
      fromSeconds,
      down: this.#down[place] ?? 0,
      counted: counted * this.#whole - (this.#uncounted[place] ?? 0),
      notKnown: 0,
    }));
    return added(days, this.#others);
  }
}

function zeros(length: number): number[] {
  return new Array<number>(length).fill(0);
}

/** Adds to the first days, which may be none. */
function added(sums: Mutable<ReportDay>[], days: readonly ReportDay[]): Mutable<ReportDay>[] {
  if (sums.length === 0) return days.map((day) => ({ ...day }));
  for (const [place, { down, counted, notKnown }] of days.entries()) {
    const sum = sums[place];
    if (sum === undefined) continue;
    sum.down += down;
    sum.counted += counted;
    sum.notKnown += notKnown;
  }
  return sums;
}

/**
 * How bad a day was, by the share that it used of the downtime that the objective permits for it:
 * none, up to all of it, up to ten times as much, or more. `unknown`: no downtime is known, but some
 * of the day is not known. `untested`: none of it counts.
 */
export type DayStep = 'none' | 'within' | 'over' | 'far_over' | 'unknown' | 'untested';

const farOver = 10;

export function stepOf({ down, counted, notKnown }: ReportDay, objective: number): DayStep {
  if (down > 0) {
    const permitted = (1 - objective) * counted;
    if (down <= permitted) return 'within';
    return down <= farOver * permitted ? 'over' : 'far_over';
  }
  if (notKnown > 0) return 'unknown';
  return counted > 0 ? 'none' : 'untested';
}
