import type { TimeRange } from './interval.ts';

export const recurrences = ['none', 'day', 'week', 'month', 'unknown'] as const;

/** API 3.1, section 2.5. A recurrence that the service adds later reads as `unknown`. */
type Recurrence = (typeof recurrences)[number];

/** A planned maintenance, once or recurring (API 3.1, section 2.5). Times are UNIX seconds. */
export interface MaintenanceWindow {
  readonly id: number;
  readonly description?: string;
  readonly recurrence: Recurrence;
  /** The n in "every n-th day, week or month". */
  readonly repeatEvery?: number;
  /** Start and end of the first occurrence. */
  readonly startAtSeconds?: number;
  readonly endAtSeconds?: number;
  readonly recurrenceEndAtSeconds?: number;
  readonly checkIds: readonly number[];
  readonly transactionIds: readonly number[];
}

/** A period in which a maintenance window is in effect. */
export interface MaintenanceSpan extends TimeRange {
  readonly maintenanceId: number;
}

/** An occurrence that the service reports (API 3.1, section 2.5). */
export interface MaintenanceOccurrence extends MaintenanceSpan {
  readonly id: number;
}

/** An occurrence of a window that was deleted. */
export interface EndedMaintenance extends MaintenanceSpan {
  readonly checkIds: readonly number[];
  readonly transactionIds: readonly number[];
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
    if (fromSeconds >= period.toSeconds) break;
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
