import type { TimeRange } from '../domain/interval.ts';
import { monthFormat } from '../lib/time-zone.ts';

/** A calendar month, from its first midnight in a time zone to the next month's. UNIX seconds. */
export interface Month extends TimeRange {
  /** Such as `2026-10`. */
  readonly name: string;
}

/** At most this many complete months are kept. */
export const monthsKept = 13;

const utc = 'UTC';
const daySeconds = 86_400;
const namePattern = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** The months of a time zone, such as `Europe/Berlin`. */
export class MonthCalendar {
  readonly zone: string;
  readonly #local: ReturnType<typeof monthFormat> | undefined;
  readonly #known = new Map<string, Month>();

  /** Throws a `RangeError` for an unknown time zone. */
  constructor(zone: string) {
    this.zone = zone;
    // The data of `Intl` take 8 MB of memory, which UTC does not need.
    if (zone !== utc) this.#local = monthFormat(zone);
  }

  /** The month with this name; undefined if it is not the name of a month. */
  named(name: string): Month | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const [, year, month] = namePattern.exec(name) ?? [];
    if (year === undefined) return undefined;
    const place = 12 * Number(year) + Number(month) - 1;
    const made = { name, fromSeconds: this.#begin(place), toSeconds: this.#begin(place + 1) };
    this.#known.set(name, made);
    return made;
  }

  containing(atSeconds: number): Month {
    return this.#month(this.#nameAt(atSeconds));
  }

  /** The month that is `months` later, or earlier if it is negative. */
  later({ name }: Month, months: number): Month {
    return this.#month(nameOf(placeOf(name) + months));
  }

  #month(name: string): Month {
    const month = this.named(name);
    if (month === undefined) throw new RangeError(`there is no month ${name}`);
    return month;
  }

  /** A zone is at most 14 hours from UTC, and a change of summer time may skip midnight. */
  #begin(place: number): number {
    const name = nameOf(place);
    const inUtc = Date.UTC(Math.floor(place / 12), place % 12) / 1000;
    if (this.#local === undefined) return inUtc;
    let [before, from] = [inUtc - daySeconds, inUtc + daySeconds];
    while (from - before > 1) {
      const middle = Math.floor((before + from) / 2);
      if (this.#nameAt(middle) < name) before = middle;
      else from = middle;
    }
    return from;
  }

  #nameAt(atSeconds: number): string {
    const date = new Date(atSeconds * 1000);
    if (this.#local === undefined) return date.toISOString().slice(0, 'YYYY-MM'.length);
    const parts = this.#local.formatToParts(date);
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
    return `${part('year').padStart(4, '0')}-${part('month')}`;
  }
}

function placeOf(name: string): number {
  const [year, month] = name.split('-').map(Number);
  return 12 * (year ?? 0) + (month ?? 1) - 1;
}

function nameOf(place: number): string {
  const [year, month] = [Math.floor(place / 12), (place % 12) + 1];
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}
