import type { Month } from '../lib/month-calendar.ts';
import type { MonthPhase } from './account-months.ts';
import { behindSeconds } from './month-outages.ts';
import type { ReportRow } from './report-row.ts';

/** The time of an item that should be counted and is not. */
interface Shortfall {
  /** Where the counted time ends, in UNIX seconds. */
  readonly untilSeconds: number;
  readonly seconds: number;
  /** It becomes known by itself. After a day of refusals it was not watched. */
  readonly isAwaited: boolean;
}

/** A month of some items. */
export interface CountedMonth {
  readonly month: Month;
  readonly state: MonthPhase;
  /** Until when the item is counted that is counted furthest. */
  readonly countedUntilSeconds: number;
}

/**
 * Of an item that is not counted to the end of its month or, while the month goes on, as far as the
 * others; undefined if it is.
 */
export function shortfallOf(
  row: ReportRow,
  { state, month, countedUntilSeconds: newest }: CountedMonth,
): Shortfall | undefined {
  const { countedUntilSeconds: at, hasLeft, known, unwatched } = row;
  const end = state === 'present' ? newest : month.toSeconds;
  if (at === undefined || at >= end || hasLeft) return undefined;
  const begin = row.createdAtSeconds ?? row.firstSeenSeconds ?? month.fromSeconds;
  return {
    untilSeconds: at,
    seconds: end - at,
    isAwaited: row.awaited > 0 || known + unwatched < end - begin,
  };
}

/**
 * Until when a row is counted, if that is long before the end of the month or, while it goes on,
 * before the others; UNIX seconds.
 */
export function lateRowSeconds(row: ReportRow, report: CountedMonth): number | undefined {
  const short = shortfallOf(row, report);
  return short && short.seconds > behindSeconds ? short.untilSeconds : undefined;
}
