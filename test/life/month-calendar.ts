import type { Range } from './truth.ts';

export interface CalendarMonth extends Range {
  /** Such as `2026-10`. */
  readonly name: string;
}

/** The zone in force from a time on, in UNIX seconds. */
export interface ZoneSince {
  readonly since: number;
  readonly zone: string;
}

const quarter = 900;
const hour = 3_600;

/**
 * The months of a life, found by walking through its quarters of an hour: at least one for every
 * change of the zone. A month ends by the zone in which it began, and the next one begins there.
 */
export function monthsBetween(from: number, to: number, zones: readonly ZoneSince[]) {
  const [first] = zones;
  if (first === undefined) throw new Error('a calendar needs a time zone');
  const months: CalendarMonth[] = [];
  let name = localMonth(from, monthIn(first.zone));
  let begin = beginOf(name, first.zone);
  while (begin < to) {
    const zone = zones.findLast(({ since }) => since <= begin)?.zone ?? first.zone;
    const next = following(name);
    const end = beginOf(next, zone);
    months.push({ name, from: begin, to: end });
    [name, begin] = [next, end];
  }
  return months;
}

/** The first quarter of an hour of a month. */
export function beginOf(name: string, zone: string): number {
  const inUtc = Date.parse(`${name}-01T00:00:00Z`) / 1000;
  const format = monthIn(zone);
  for (let at = inUtc - 16 * hour; at <= inUtc + 16 * hour; at += quarter) {
    if (localMonth(at, format) === name) return at;
  }
  throw new Error(`${name} does not begin in ${zone}`);
}

function monthIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit' });
}

function localMonth(at: number, format: Intl.DateTimeFormat): string {
  const [month, year] = format.format(1000 * at).split('/');
  return `${year}-${month}`;
}

function following(name: string): string {
  const [year = 0, month = 0] = name.split('-').map(Number);
  return month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`;
}
