import { yieldToEventLoop } from '../lib/event-loop.ts';
import { zonedTimes } from '../lib/zoned-times.ts';
import type { Verdict } from '../slo/verdict.ts';
import type { ReportRow } from './report-row.ts';
import { type CountedMonth, lateRowSeconds, shortfallOf } from './shortfall.ts';

/** What is said of all checks and transactions of a report together. */
export interface ItemFacts {
  readonly accounts: ReadonlySet<string>;
  /** How many have each verdict. */
  readonly verdicts: ReadonlyMap<Verdict, number>;
  /** How many have none, because they were not tested in the time that is known. */
  readonly untested: number;
  readonly wasUp: boolean;
  readonly hasResponses: boolean;
  readonly readAfterwards: boolean;
  /** Whether all of them were first seen after the month. */
  readonly areSeenLater: boolean;
  /** The day on which all were wholly read afterwards; undefined if they are not alike. */
  readonly readDay: string | undefined;
  /** Those of which some time is awaited. */
  readonly awaited: readonly ReportRow[];
  /** Those that are counted until long before the others, the longest first. */
  readonly late: readonly { readonly row: ReportRow; readonly seconds: number }[];
  /** How many there are of which something of the past becomes known by itself. */
  readonly incomplete: number;
}

/** Other work is done after this many rows. */
const rowsPerStep = 1_000;

/** Yields to the event loop: to look at tens of thousands of rows takes longer than a request should wait. */
export async function itemFacts(
  report: CountedMonth & { readonly items: readonly ReportRow[] },
): Promise<ItemFacts> {
  const times = zonedTimes(report.month.zone);
  const accounts = new Set<string>();
  const verdicts = new Map<Verdict, number>();
  const readAt = new Set<number | undefined>();
  const awaited: ReportRow[] = [];
  const late: { row: ReportRow; seconds: number }[] = [];
  let [wasUp, hasResponses, incomplete, untested] = [false, false, 0, 0];
  let areSeenLater = report.items.length > 0;
  for (const [place, row] of report.items.entries()) {
    if (place % rowsPerStep === rowsPerStep - 1) await yieldToEventLoop();
    const { verdict, readAfterwards: read } = row;
    accounts.add(row.account);
    if (verdict !== undefined) verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    else if (row.known > 0) untested += 1;
    wasUp ||= row.up > 0;
    hasResponses ||= row.response !== undefined;
    readAt.add(read?.share === 'whole' ? read.atSeconds : undefined);
    areSeenLater &&= row.isSeenLater;
    if (row.awaited > 0) awaited.push(row);
    const seconds = report.state === 'partial' ? lateRowSeconds(row, report) : undefined;
    if (seconds !== undefined) late.push({ row, seconds });
    const isAwaited = report.state === 'partial' && shortfallOf(row, report)?.isAwaited;
    if (row.awaited > 0 || isAwaited) incomplete += 1;
  }
  const days = new Set([...readAt].map((at) => at && times.day(at)));
  return {
    ...{ accounts, verdicts, untested, wasUp, hasResponses, awaited, incomplete, areSeenLater },
    readAfterwards: [...readAt].some((at) => at !== undefined),
    readDay: days.size === 1 ? [...days][0] || undefined : undefined,
    late: late.sort((a, b) => a.seconds - b.seconds),
  };
}
