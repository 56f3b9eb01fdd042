export const recurrenceTypes = ['none', 'day', 'week', 'month'] as const;
export type RecurrenceType = (typeof recurrenceTypes)[number];

/** When a maintenance window happens (API 3.1, section 2.5). Times are UNIX seconds. */
export interface SandboxRecurrence {
  /** The first occurrence. */
  readonly from: number;
  readonly to: number;
  readonly recurrencetype: RecurrenceType;
  /** Every so many days, weeks or months; 0 counts as 1. */
  readonly repeatevery: number;
  /** No occurrence but the first ends later than this. */
  readonly effectiveto: number;
}

/** [from, to) in UNIX seconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const day = 86_400;

/** All occurrences, in order of time. Days, months and times of day are those of UTC. */
export function occurrenceSpans(recurrence: SandboxRecurrence): Span[] {
  const { from, to, recurrencetype, effectiveto } = recurrence;
  const spans = [{ from, to }];
  if (recurrencetype === 'none') return spans;
  for (let turn = 1; ; turn++) {
    const start = nthStart(recurrence, turn);
    const end = start + (to - from);
    if (end > effectiveto) return spans;
    spans.push({ from: start, to: end });
  }
}

function nthStart({ from, recurrencetype, repeatevery }: SandboxRecurrence, turn: number): number {
  const steps = turn * Math.max(1, repeatevery);
  switch (recurrencetype) {
    case 'month':
      return monthsLater(from, steps);
    case 'week':
      return from + 7 * steps * day;
    default:
      return from + steps * day;
  }
}

/** The same day and time of a later month, or the last day of a month that is too short. */
function monthsLater(time: number, months: number): number {
  const start = new Date(time * 1000);
  const year = start.getUTCFullYear();
  const month = start.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const sinceMidnight = ((time % day) + day) % day;
  const midnight = Date.UTC(year, month, Math.min(start.getUTCDate(), lastDay)) / 1000;
  return midnight + sinceMidnight;
}
