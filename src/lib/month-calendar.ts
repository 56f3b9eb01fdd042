import { dayBegins, firstSecond, type ZonedTimes, zonedTimes } from './zoned-times.ts';

/** For those who need no more of a month. */
export interface NamedMonth {
  /** Such as `2026-10`. */
  readonly name: string;
}

/** A calendar month, from its first midnight in a time zone to the next month's. UNIX seconds. */
export interface Month extends NamedMonth {
  /** The time zone in which it was begun, such as `Europe/Berlin`. */
  readonly zone: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** At most this many complete months are kept. */
export const monthsKept = 13;

const daySeconds = 86_400;
/** Of all months that are kept, and those of items that left. */
const mostDayBegins = 1_000;
const namePattern = /^(\d{4})-(0[1-9]|1[0-2])$/;

/**
 * The months of the configured time zone, for all accounts. A month keeps its bounds when it has
 * begun. After a change of the zone the next month begins where the last one ends, so that every
 * second is in exactly one month.
 */
export class MonthCalendar {
  #zone: Zone;
  readonly #begun = new Map<string, Month>();
  /** Months that have not begun, or that nobody has recorded. */
  readonly #others = new Map<string, Month>();
  readonly #dayBegins = new Map<string, readonly number[]>();

  /** Throws a `RangeError` for an unknown time zone. */
  constructor(zone: string) {
    this.#zone = new Zone(zone);
  }

  /** The zone of the months that begin from now on. */
  get zone(): string {
    return this.#zone.name;
  }

  /** The months that have begun. */
  get begun(): readonly Month[] {
    return [...this.#begun.values()];
  }

  /** Months that have not begun follow another time zone. */
  follow(zone: string): void {
    if (zone === this.zone) return;
    this.#zone = new Zone(zone);
    this.#others.clear();
  }

  /** These months have begun: they keep their bounds. */
  keep(months: Iterable<Month>): void {
    for (const { name, zone, fromSeconds, toSeconds } of months) {
      if (this.#begun.has(name)) continue;
      this.#begun.set(name, { name, zone, fromSeconds, toSeconds });
      this.#others.clear();
    }
  }

  /** The month with this name; undefined if it is not the name of a month. */
  named(name: string): Month | undefined {
    const found = this.#begun.get(name) ?? this.#others.get(name);
    if (found !== undefined) return found;
    if (!namePattern.test(name)) return undefined;
    const place = placeOf(name);
    const { zone } = this;
    const before = this.#begun.get(nameOf(place - 1));
    const after = this.#begun.get(nameOf(place + 1));
    const made = {
      name,
      zone,
      fromSeconds: before?.toSeconds ?? this.#zone.begin(place),
      toSeconds: after?.fromSeconds ?? this.#zone.begin(place + 1),
    };
    this.#others.set(name, made);
    return made;
  }

  containing(atSeconds: number): Month {
    const place = placeOf(this.#zone.nameAt(atSeconds));
    const month = this.#month(place);
    if (atSeconds < month.fromSeconds) return this.#month(place - 1);
    return atSeconds < month.toSeconds ? month : this.#month(place + 1);
  }

  /** The month that is `months` later, or earlier if it is negative. */
  later({ name }: NamedMonth, months: number): Month {
    return this.#month(placeOf(name) + months);
  }

  /** The begins of the days of a month in its zone: its own, and then each midnight. */
  dayBegins({ zone, fromSeconds, toSeconds }: Month): readonly number[] {
    const key = `${zone} ${fromSeconds} ${toSeconds}`;
    const found = this.#dayBegins.get(key);
    if (found !== undefined) return found;
    const begins = dayBegins(zonedTimes(zone), fromSeconds, toSeconds);
    if (this.#dayBegins.size >= mostDayBegins) this.#dayBegins.clear();
    this.#dayBegins.set(key, begins);
    return begins;
  }

  #month(place: number): Month {
    const name = nameOf(place);
    const month = this.named(name);
    if (month === undefined) throw new RangeError(`there is no month ${name}`);
    return month;
  }
}

class Zone {
  readonly name: string;
  readonly #times: ZonedTimes;

  constructor(name: string) {
    this.name = name;
    this.#times = zonedTimes(name);
  }

  /** A zone is at most 14 hours from UTC. */
  begin(place: number): number {
    const name = nameOf(place);
    const inUtc = Date.UTC(Math.floor(place / 12), place % 12) / 1000;
    const isBegun = (seconds: number) => this.nameAt(seconds) >= name;
    return firstSecond(inUtc - daySeconds, inUtc + daySeconds, isBegun);
  }

  /** The name of the month in which a time lies. */
  nameAt(atSeconds: number): string {
    return this.#times.day(atSeconds).slice(0, 'YYYY-MM'.length);
  }
}

/** Months since the year 0. */
function placeOf(name: string): number {
  const [year, month] = name.split('-').map(Number);
  return 12 * (year ?? 0) + (month ?? 1) - 1;
}

function nameOf(place: number): string {
  const [year, month] = [Math.floor(place / 12), (place % 12) + 1];
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}
