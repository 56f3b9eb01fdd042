import type { MonthReport, ReportRow } from './report.ts';

/** The time of an item that should be counted and is not. */
interface Shortfall {
  /** Where the counted time ends, in UNIX seconds. */
  readonly untilSeconds: number;
  readonly seconds: number;
  /** It becomes known by itself. After a day of refusals it was not watched. */
  readonly isAwaited: boolean;
}

/**
 * Of an item that is not counted to the end of its month or, while the month goes on, as far as the
 * others; undefined if it is.
 */
export function shortfallOf(
  row: ReportRow,
  { state, month, countedUntilSeconds: newest }: MonthReport,
): Shortfall | undefined {
  const { countedUntilSeconds: at, removedAtSeconds, known, unwatched } = row;
  const end = state === 'present' ? newest : month.toSeconds;
  if (at === undefined || at >= end || removedAtSeconds !== undefined) return undefined;
  const begin = row.createdAtSeconds ?? row.firstSeenSeconds ?? month.fromSeconds;
  return {
    untilSeconds: at,
    seconds: end - at,
    isAwaited: row.awaited > 0 || known + unwatched < end - begin,
  };
}

/** The items of which something of the past becomes known by itself. */
export function awaitedItems(report: MonthReport): number {
  const isPartial = report.state === 'partial';
  return report.items.filter(
    (row) => row.awaited > 0 || (isPartial && shortfallOf(row, report)?.isAwaited),
  ).length;
}
