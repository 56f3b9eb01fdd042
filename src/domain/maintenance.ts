import { z } from 'zod';
import { amount, id, optional, type TypeOf } from '../lib/schema.ts';
import type { TimeRange } from './interval.ts';

export const recurrences = ['none', 'day', 'week', 'month', 'unknown'] as const;

/** API 3.1, section 2.5. A recurrence that the service adds later reads as `unknown`. */
type Recurrence = (typeof recurrences)[number];

const members = { checkIds: z.array(id), transactionIds: z.array(id) };
const window = z.object({
  id,
  description: optional.text,
  recurrence: z.enum(recurrences),
  /** The n in "every n-th day, week or month". */
  repeatEvery: optional.number,
  /** Start and end of the first occurrence. */
  startAtSeconds: optional.amount,
  endAtSeconds: optional.amount,
  recurrenceEndAtSeconds: optional.amount,
  ...members,
});
/** A planned maintenance, once or recurring (API 3.1, section 2.5). Times are UNIX seconds. */
export type MaintenanceWindow = TypeOf<typeof window>;

const span = z.object({
  /** The service's id of the occurrence; absent if the service does not report occurrences. */
  id: optional.id,
  maintenanceId: id,
  fromSeconds: amount,
  toSeconds: amount,
});
/** A period in which a maintenance window is in effect. */
export type MaintenanceSpan = TypeOf<typeof span>;

/** An occurrence that the service reports (API 3.1, section 2.5). */
export interface MaintenanceOccurrence extends MaintenanceSpan {
  readonly id: number;
}

export type MaintenanceMembers = Pick<MaintenanceWindow, keyof typeof members>;

const spanMembers = span.extend(members);
/** An occurrence with members of its own, which may differ from those of its window. */
export type OccurrenceMembers = TypeOf<typeof spanMembers>;

const corrected = z.object({
  windows: z.array(window),
  occurrences: z.array(span),
  /**
   * Occurrences of the last 35 days that the report omits: their window was deleted or moved after
   * they had ended, or lost these members.
   */
  ended: z.array(spanMembers).exactOptional(),
  /** Reported occurrences with members that the window got only after they had ended. */
  unplanned: z.array(spanMembers).exactOptional(),
});
/** Maintenance as the service reports it, corrected by what the exporter knew before an edit. */
export type CorrectedMaintenance = TypeOf<typeof corrected>;

export const maintenanceSchema = corrected.extend({
  /**
   * Per check: time that was counted as maintenance but is in no known occurrence any more. If it
   * becomes maintenance again, it must not be counted twice.
   */
  counted: z
    .record(z.string(), z.array(z.object({ fromSeconds: amount, toSeconds: amount })))
    .exactOptional(),
});
export type Maintenance = TypeOf<typeof maintenanceSchema>;

/** All occurrences, each with the members that it has, or had when it ended. */
export function membersByOccurrence({
  windows,
  occurrences,
  ended = [],
  unplanned = [],
}: CorrectedMaintenance): OccurrenceMembers[] {
  const windowsById = new Map(windows.map((window) => [window.id, window]));
  const lateMembers = new Map(unplanned.map((members) => [occurrenceKey(members), members]));
  const reported = occurrences.flatMap((occurrence): OccurrenceMembers[] => {
    const { maintenanceId, fromSeconds, toSeconds } = occurrence;
    const window = windowsById.get(maintenanceId);
    if (window === undefined) return [];
    const { checkIds, transactionIds } = window;
    const late = lateMembers.size === 0 ? undefined : lateMembers.get(occurrenceKey(occurrence));
    const members = late === undefined ? { checkIds, transactionIds } : without(window, late);
    if (late !== undefined && isEmpty(members)) return [];
    return [{ maintenanceId, fromSeconds, toSeconds, ...members }];
  });
  return [...reported, ...ended];
}

export function occurrenceKey({ maintenanceId, fromSeconds, toSeconds }: MaintenanceSpan): string {
  return `${maintenanceId} ${fromSeconds} ${toSeconds}`;
}

/** The members that are not among `others`. */
export function without(
  { checkIds, transactionIds }: MaintenanceMembers,
  others: MaintenanceMembers,
): MaintenanceMembers {
  return {
    checkIds: idsWithout(checkIds, others.checkIds),
    transactionIds: idsWithout(transactionIds, others.transactionIds),
  };
}

function idsWithout(ids: readonly number[], others: readonly number[]): readonly number[] {
  if (ids === others) return [];
  const excluded = new Set(others);
  return ids.filter((id) => !excluded.has(id));
}

export function isEmpty({ checkIds, transactionIds }: MaintenanceMembers): boolean {
  return checkIds.length === 0 && transactionIds.length === 0;
}

const daySeconds = 86_400;

/**
 * The occurrences of a window within the period, for API versions that do not report them. The
 * first occurrence is repeated every n-th day, week or month until the end of the recurrence (API
 * 2.1, section 2.5). The API document specifies neither the time zone nor the rule for short
 * months. This uses UTC, and the last day of a short month.
 */
export function occurrencesWithin(window: MaintenanceWindow, period: TimeRange): MaintenanceSpan[] {
  const { id, startAtSeconds, endAtSeconds, recurrenceEndAtSeconds } = window;
  if (startAtSeconds === undefined || endAtSeconds === undefined) return [];
  const length = endAtSeconds - startAtSeconds;
  const spans: MaintenanceSpan[] = [];
  for (const fromSeconds of occurrenceStarts(window, startAtSeconds, period.fromSeconds - length)) {
    // Not a number after the last time of a `Date`.
    if (!(fromSeconds < period.toSeconds)) break;
    const toSeconds = fromSeconds + length;
    const isFirst = fromSeconds === startAtSeconds;
    if (!isFirst && toSeconds > (recurrenceEndAtSeconds ?? Number.POSITIVE_INFINITY)) break;
    if (toSeconds > period.fromSeconds) spans.push({ maintenanceId: id, fromSeconds, toSeconds });
  }
  return spans;
}

/** The starts of occurrences, in order, perhaps endless, from `afterSeconds` or earlier on. */
function* occurrenceStarts(
  { recurrence, repeatEvery = 1 }: MaintenanceWindow,
  first: number,
  afterSeconds: number,
): Generator<number> {
  const length = stepSeconds[recurrence];
  if (length === undefined) {
    yield first;
    return;
  }
  const passed = Math.floor((afterSeconds - first) / (length * repeatEvery));
  for (let count = Math.max(0, passed); ; count++) {
    const steps = count * repeatEvery;
    yield recurrence === 'month' ? monthsLater(first, steps) : first + steps * length;
  }
}

/** The longest step of each recurrence. With 31 days a month, no occurrence is skipped. */
const stepSeconds: { readonly [R in Recurrence]: number | undefined } = {
  none: undefined,
  unknown: undefined,
  day: daySeconds,
  week: 7 * daySeconds,
  month: 31 * daySeconds,
};

function monthsLater(seconds: number, months: number): number {
  const start = new Date(seconds * 1000);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return start.setUTCFullYear(year, month, Math.min(start.getUTCDate(), lastDay)) / 1000;
}
