import { offsetFormat } from './time-zone.ts';

/** Formats UNIX seconds in one time zone. */
export interface ZonedTimes {
  /** Such as `Europe/Berlin`. */
  readonly zone: string;
  /** Such as `2026-10-31T13:30:00+01:00`, or with `Z` in UTC. */
  readonly iso: (seconds: number) => string;
  /** For people, to the minute or the second, such as `2026-10-31 13:30 UTC+1`. */
  readonly text: (seconds: number, unit?: 'minute' | 'second') => string;
  /** Such as `2026-10-31`. */
  readonly day: (seconds: number) => string;
}

const secondLength = '2026-10-31T13:30:00'.length;
const lengths = { minute: '2026-10-31T13:30'.length, second: secondLength } as const;
/** Offsets change at a quarter of an hour in UTC. */
const quarterSeconds = 900;

/**
 * Throws a `RangeError` for an unknown time zone. UTC, the default, does not load the data of `Intl`,
 * which take 8 MB of memory.
 */
export function zonedTimes(zone: string): ZonedTimes {
  const offsetOf = zone === 'UTC' ? () => 0 : offsetsOf(zone);
  const local = (seconds: number) =>
    new Date((seconds + offsetOf(seconds)) * 1000).toISOString().slice(0, -1).replace('.000', '');
  return {
    zone,
    iso: (seconds) => `${local(seconds)}${zone === 'UTC' ? 'Z' : isoOffset(offsetOf(seconds))}`,
    text: (seconds, unit = 'minute') =>
      `${local(seconds).slice(0, lengths[unit]).replace('T', ' ')} UTC${shortOffset(offsetOf(seconds))}`,
    day: (seconds) => local(seconds).slice(0, 'YYYY-MM-DD'.length),
  };
}

/** A day has at most 25 hours, but where a zone moves over the date line. */
const longestDaySeconds = 50 * 3_600;

/** The begins of the last `count` days, the present one among them; oldest first. */
export function lastDays({ day }: DaysOf, count: number, nowSeconds: number): readonly number[] {
  const begins: number[] = [];
  for (let at = Math.floor(nowSeconds); begins.length < count; at = (begins[0] ?? at) - 1) {
    const date = day(at);
    begins.unshift(firstSecond(at - longestDaySeconds, at, (seconds) => day(seconds) >= date));
  }
  return begins;
}

/** The begins of the days of a range: its own, and then each midnight. */
export function dayBegins({ day }: DaysOf, fromSeconds: number, toSeconds: number): number[] {
  const begins: number[] = [];
  for (let at = fromSeconds; at < toSeconds; ) {
    begins.push(at);
    const date = day(at);
    at = firstSecond(at, at + longestDaySeconds, (seconds) => day(seconds) > date);
  }
  return begins;
}

const daySeconds = 86_400;

/** The place of the day that has a time. Few days are longer or shorter than 24 hours. */
export function placeAt(begins: readonly number[], atSeconds: number): number {
  const [first = 0] = begins;
  let place = Math.min(begins.length - 1, Math.floor((atSeconds - first) / daySeconds));
  while (place > 0 && (begins[place] ?? 0) > atSeconds) place -= 1;
  while ((begins[place + 1] ?? Number.POSITIVE_INFINITY) <= atSeconds) place += 1;
  return Math.max(0, place);
}

type DaysOf = Pick<ZonedTimes, 'day'>;

/**
 * The first second after `before`, and `last` at the latest, that is in a later day or month. A
 * change of summer time may skip midnight, so that it is searched for.
 */
export function firstSecond(
  before: number,
  last: number,
  isLater: (seconds: number) => boolean,
): number {
  let [earlier, later] = [before, last];
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    if (isLater(middle)) later = middle;
    else earlier = middle;
  }
  return later;
}

/** The seconds that a zone is ahead of UTC at a time; those of the last quarter are kept. */
function offsetsOf(zone: string): (seconds: number) => number {
  const format = offsetFormat(zone);
  let [quarter, offset] = [Number.NaN, 0];
  return (seconds) => {
    const asked = Math.floor(seconds / quarterSeconds);
    if (asked !== quarter) {
      const parts = format.formatToParts(asked * quarterSeconds * 1000);
      offset = parseOffset(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '');
      quarter = asked;
    }
    return offset;
  };
}

const longOffset = /^GMT(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d)/;

/** `GMT` and `GMT+05:30` are what `Intl` writes. */
function parseOffset(text: string): number {
  const { sign, hours, minutes } = longOffset.exec(text)?.groups ?? {};
  return (sign === '-' ? -1 : 1) * (3600 * Number(hours ?? 0) + 60 * Number(minutes ?? 0));
}

function isoOffset(seconds: number): string {
  const { sign, hours, minutes } = partsOf(seconds);
  return `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

function shortOffset(seconds: number): string {
  if (seconds === 0) return '';
  const { sign, hours, minutes } = partsOf(seconds);
  return `${sign}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
}

function partsOf(seconds: number) {
  const minutes = Math.abs(seconds) / 60;
  return { sign: seconds < 0 ? '-' : '+', hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}
