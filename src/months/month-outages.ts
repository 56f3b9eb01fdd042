import type { Month } from '../lib/month-calendar.ts';
import type { ItemKind } from '../store/store.ts';
import type { MonthPhase } from './account-months.ts';
import { countsIn, type MonthOutage, type MonthRecord } from './month-record.ts';

/** The check or transaction of an outage, which is its line of the report. */
interface OutageItem {
  readonly account: string;
  readonly kind: ItemKind;
  readonly id: number;
  readonly name: string;
  readonly distinction: string | undefined;
  readonly isListed: boolean;
}

/** An outage of a report. */
export interface ReportOutage extends Pick<MonthOutage, 'fromSeconds' | 'causes' | 'maintenance'> {
  /** It began at an unknown time before `fromSeconds`. */
  readonly beganBefore: boolean;
  /** Undefined while its end is not known. */
  readonly toSeconds: number | undefined;
  /** The month goes on, and so does the outage. */
  readonly goesOn: boolean;
  readonly item: OutageItem;
  /** False if it was in maintenance, or counts in another month. */
  readonly isCounted: boolean;
  /** Its length so far, as far as it is known. */
  readonly seconds: number;
  /** The part of it that is in the month. */
  readonly secondsInMonth: number;
}

const noCauses: readonly string[] = [];

/** Of the outages that count, the most frequent first. */
export function causesIn({ outages }: MonthRecord, month: Month): readonly string[] {
  if (outages.length === 0) return noCauses;
  const counts = new Map<string, number>();
  for (const outage of outages) {
    if (!countsIn(outage, month)) continue;
    for (const cause of outage.causes) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([cause]) => cause);
}

/** Where the counted time of an item ends. */
export function countedEnd(
  {
    countedUntilSeconds,
    removedAtSeconds,
  }: {
    readonly countedUntilSeconds?: number | undefined;
    readonly removedAtSeconds?: number | undefined;
  },
  { toSeconds }: Pick<Month, 'toSeconds'>,
): number {
  return Math.min(countedUntilSeconds ?? toSeconds, removedAtSeconds ?? toSeconds);
}

/** Where an outage without an end is known to last until. */
function knownUntil(outage: MonthOutage, record: MonthRecord, month: Month): number {
  return outage.knownUntilSeconds ?? countedEnd(record, month);
}

/** The month of a report, and the time at which the report is made. */
export interface ReportedMonth {
  readonly month: Month;
  readonly phase: MonthPhase;
  readonly nowSeconds: number;
}

/** What is counted until about the same time is at most this far behind. Seconds. */
export const behindSeconds = 7_200;

/** Whether an outage without an end is known to last: up to now, or beyond a month that has ended. */
export function isKnownToLast(
  { knownUntilSeconds }: MonthOutage,
  { removedAtSeconds, countedUntilSeconds: until }: MonthRecord,
  { month, phase, nowSeconds }: ReportedMonth,
): boolean {
  const leftInMonth = removedAtSeconds !== undefined && removedAtSeconds < month.toSeconds;
  if (leftInMonth || knownUntilSeconds !== undefined) return false;
  if (phase !== 'present') return until === undefined;
  return until === undefined || nowSeconds - until <= behindSeconds;
}

/** The part of an outage that is in the month. */
export function secondsIn(outage: MonthOutage, record: MonthRecord, month: Month): number {
  const end = Math.min(outage.toSeconds ?? knownUntil(outage, record, month), month.toSeconds);
  return Math.max(0, end - Math.max(outage.fromSeconds, month.fromSeconds));
}

export function outageOf(
  item: OutageItem,
  outage: MonthOutage,
  record: MonthRecord,
  at: ReportedMonth,
): ReportOutage {
  const { month, phase } = at;
  const { fromSeconds, beganBefore, toSeconds, causes, maintenance } = outage;
  return {
    item,
    fromSeconds,
    beganBefore: beganBefore === true,
    toSeconds,
    goesOn: toSeconds === undefined && phase === 'present' && isKnownToLast(outage, record, at),
    causes,
    maintenance,
    isCounted: countsIn(outage, month),
    seconds: Math.max(0, (toSeconds ?? knownUntil(outage, record, month)) - fromSeconds),
    secondsInMonth: secondsIn(outage, record, month),
  };
}
