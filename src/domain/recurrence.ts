import type { MaintenanceSpan, MaintenanceWindow, Recurrence } from './maintenance.ts';
import type { Period } from './period.ts';

const daySeconds = 86_400;

/**
 * When the window is in effect within the period, where the service does not tell: its first span, repeated
 * every so many days, weeks or months up to the end of the recurrence (API 2.1, section 2.5). The document
 * names no time zone and says nothing of short months; taken are UTC, and the last day of such a month.
 */
export function spansWithin(window: MaintenanceWindow, period: Period): MaintenanceSpan[] {
  const { id, startAtSeconds, endAtSeconds, recurrenceEndAtSeconds } = window;
  if (startAtSeconds === undefined || endAtSeconds === undefined) return [];
  const length = endAtSeconds - startAtSeconds;
  const spans: MaintenanceSpan[] = [];
  for (const start of starts(window, startAtSeconds, period.fromSeconds - length)) {
    if (start >= period.toSeconds) break;
    const end = start + length;
    const isFirst = start === startAtSeconds;
    if (!isFirst && end > (recurrenceEndAtSeconds ?? Number.POSITIVE_INFINITY)) break;
    if (end > period.fromSeconds) {
      spans.push({ maintenanceId: id, startAtSeconds: start, endAtSeconds: end });
    }
  }
  return spans;
}

/** In order; those long before `afterSeconds` may be left out. */
function* starts(
  { recurrence, repeatEvery = 1 }: MaintenanceWindow,
  first: number,
  afterSeconds: number,
): Generator<number> {
  const length = lengthSeconds[recurrence];
  if (length === undefined) {
    yield first;
    return;
  }
  const passed = Math.floor((afterSeconds - first) / (length * repeatEvery));
  for (let turn = Math.max(0, passed); ; turn++) {
    const steps = turn * repeatEvery;
    yield recurrence === 'month' ? monthsLater(first, steps) : first + steps * length;
  }
}

/** Of a month the longest, so that none is passed over. */
const lengthSeconds: { readonly [R in Recurrence]: number | undefined } = {
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
