import type { TimeRange } from '../domain/interval.ts';
import type { Month } from '../lib/month-calendar.ts';
import type { Mutable } from '../lib/present.ts';
import { type DaySum, placeAt } from './day-sums.ts';
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

/** The days of a month, by line. */
export class ReportDays {
  readonly #month: Month;
  readonly #begins: readonly number[];
  #plain: readonly ReportDay[] | undefined;

  constructor(month: Month, begins: readonly number[]) {
    this.#month = month;
    this.#begins = begins;
  }

  /** Returns the days of an item when they are asked for: few lines are shown. */
  of(record: MonthRecord): () => readonly ReportDay[] {
    const { days = [], awaited, unwatched } = record;
    const { createdAtSeconds, firstSeenSeconds, removedAtSeconds, countedUntilSeconds } = record;
    const { fromSeconds, toSeconds } = this.#month;
    const known = {
      fromSeconds: createdAtSeconds ?? firstSeenSeconds ?? fromSeconds,
      toSeconds: Math.min(countedUntilSeconds ?? toSeconds, removedAtSeconds ?? toSeconds),
    };
    const gaps = awaited.length === 0 ? unwatched : [...awaited, ...unwatched];
    const isWhole = known.fromSeconds <= fromSeconds && known.toSeconds >= toSeconds;
    if (isWhole && days.length === 0 && gaps.length === 0) return () => this.#whole();
    return () => this.#daysOf({ days, gaps, known });
  }

  #whole(): readonly ReportDay[] {
    const { fromSeconds, toSeconds } = this.#month;
    this.#plain ??= this.#daysOf({ days: [], gaps: [], known: { fromSeconds, toSeconds } });
    return this.#plain;
  }

  #daysOf({ days, gaps, known }: DaySource): readonly ReportDay[] {
    const length = this.#begins.length;
    const [ofKnown, ofGaps, knownGaps] = [length, length, length].map((places) =>
      new Array<number>(places).fill(0),
    ) as [number[], number[], number[]];
    this.#spread(known, ofKnown);
    for (const gap of gaps) {
      this.#spread(gap, ofGaps);
      const fromSeconds = Math.max(gap.fromSeconds, known.fromSeconds);
      const toSeconds = Math.min(gap.toSeconds, known.toSeconds);
      this.#spread({ fromSeconds, toSeconds }, knownGaps);
    }
    const sums = new Map(days.map((day) => [day.place, day]));
    return this.#begins.map((fromSeconds, place) => {
      const { down = 0, uncounted = 0 } = sums.get(place) ?? {};
      const counted = (ofKnown[place] ?? 0) - (knownGaps[place] ?? 0) - uncounted;
      return { fromSeconds, down, counted, notKnown: ofGaps[place] ?? 0 };
    });
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

/** The sums of the days of some items. */
export class GroupDays {
  /** Items that were up all the month have the same object. */
  #same: readonly ReportDay[] | undefined;
  #times = 0;
  #others: Mutable<ReportDay>[] = [];

  add(days: readonly ReportDay[]): void {
    this.#same ??= days;
    if (days === this.#same) this.#times += 1;
    else this.#others = added(this.#others, days);
  }

  all(): readonly ReportDay[] {
    const same = (this.#same ?? []).map((day) => ({
      fromSeconds: day.fromSeconds,
      down: day.down * this.#times,
      counted: day.counted * this.#times,
      notKnown: day.notKnown * this.#times,
    }));
    return added(same, this.#others);
  }
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

interface DaySource {
  readonly days: readonly DaySum[];
  /** What of it is awaited or was not watched. */
  readonly gaps: readonly TimeRange[];
  readonly known: TimeRange;
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
