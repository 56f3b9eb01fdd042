import type { TimeRange } from '../domain/interval.ts';
import type { Month } from '../lib/month-calendar.ts';
import { zonedTimes } from '../lib/zoned-times.ts';
import { permittedSeconds } from '../slo/verdict.ts';
import { addToDays, type DaySum } from './day-sums.ts';
import type { MonthRecord } from './month-record.ts';

/** A day of a line of the report. Seconds. */
export interface ReportDay {
  /** Such as `2026-10-04`. */
  readonly date: string;
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

/** By the place of the day. */
interface DaySeconds {
  readonly down: number[];
  readonly counted: number[];
  readonly notKnown: number[];
}

/**
 * The dates of the days of a month, or of months in a row. Each is that of the middle of the day: the
 * first of these months may have begun in another time zone, whose midnights are at other times.
 */
export function datesOf(
  { zone, toSeconds }: Pick<Month, 'zone' | 'toSeconds'>,
  begins: readonly number[],
): readonly string[] {
  const { day } = zonedTimes(zone);
  return begins.map((from, place) =>
    day(Math.floor((from + (begins[place + 1] ?? toSeconds)) / 2)),
  );
}

/** The days of a month, by line. */
export class ReportDays {
  readonly #month: Month;
  readonly #begins: readonly number[];
  readonly #dates: readonly string[];

  constructor(month: Month, begins: readonly number[]) {
    this.#month = month;
    this.#begins = begins;
    this.#dates = datesOf(month, begins);
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
    return new ItemDays(this, days, gaps, known);
  }

  dateOf(place: number): string | undefined {
    return this.#dates[place];
  }

  ofGroup(): GroupDays {
    return new GroupDays(this);
  }

  noSeconds(): DaySeconds {
    const zeros = () => this.#begins.map(() => 0);
    return { down: zeros(), counted: zeros(), notKnown: zeros() };
  }

  /** Adds the days of an item. Of each of tens of thousands, so that it makes no objects. */
  add(sums: DaySeconds, { days, gaps, known }: ItemDays): void {
    const { down, counted, notKnown } = sums;
    this.#spread(known.fromSeconds, known.toSeconds, counted, 1);
    for (const { fromSeconds, toSeconds } of gaps) {
      this.#spread(fromSeconds, toSeconds, notKnown, 1);
      const begin = Math.max(fromSeconds, known.fromSeconds);
      this.#spread(begin, Math.min(toSeconds, known.toSeconds), counted, -1);
    }
    for (const day of days) {
      down[day.place] = (down[day.place] ?? 0) + day.down;
      counted[day.place] = (counted[day.place] ?? 0) - day.uncounted;
    }
  }

  daysOf({ down, counted, notKnown }: DaySeconds): readonly ReportDay[] {
    return this.#begins.map((fromSeconds, place) => ({
      date: this.#dates[place] ?? '',
      fromSeconds,
      down: down[place] ?? 0,
      counted: counted[place] ?? 0,
      notKnown: notKnown[place] ?? 0,
    }));
  }

  /** Adds the seconds of a range within the month to the days in which they are. */
  #spread(fromSeconds: number, toSeconds: number, sums: number[], sign: 1 | -1): void {
    const range = {
      fromSeconds: Math.max(fromSeconds, this.#month.fromSeconds),
      toSeconds: Math.min(toSeconds, this.#month.toSeconds),
    };
    addToDays(sums, this.#begins, range, sign);
  }
}

export class ItemDays implements LineDays {
  readonly #month: ReportDays;
  /** What was not up. */
  readonly days: readonly DaySum[];
  /** What is awaited or was not watched. */
  readonly gaps: readonly TimeRange[];
  /** What is counted, but for the gaps. */
  readonly known: TimeRange;

  constructor(
    month: ReportDays,
    days: readonly DaySum[],
    gaps: readonly TimeRange[],
    known: TimeRange,
  ) {
    this.#month = month;
    this.days = days;
    this.gaps = gaps;
    this.known = known;
  }

  all(): readonly ReportDay[] {
    const sums = this.#month.noSeconds();
    this.#month.add(sums, this);
    return this.#month.daysOf(sums);
  }
}

/** The sums of the days of some items. */
export class GroupDays implements LineDays {
  readonly #month: ReportDays;
  readonly #sums: DaySeconds;

  constructor(month: ReportDays) {
    this.#month = month;
    this.#sums = month.noSeconds();
  }

  add(item: ItemDays): void {
    this.#month.add(this.#sums, item);
  }

  all(): readonly ReportDay[] {
    return this.#month.daysOf(this.#sums);
  }
}

/**
 * How bad a day was, by the share that it used of the downtime that the objective permits for it:
 * none, up to all of it, up to ten times as much, or more. `unknown`: no downtime is known, but some
 * of the day is not known. `untested`: none of it counts.
 */
export type DayStep = 'none' | 'within' | 'over' | 'far_over' | 'unknown' | 'untested';

const farOver = 10;

export function stepOf(
  { down, counted, notKnown }: Pick<ReportDay, 'down' | 'counted' | 'notKnown'>,
  objective: number,
): DayStep {
  if (down > 0) {
    const permitted = permittedSeconds(counted, objective);
    if (down <= permitted) return 'within';
    return down <= farOver * permitted ? 'over' : 'far_over';
  }
  if (notKnown > 0) return 'unknown';
  return counted > 0 ? 'none' : 'untested';
}
