import { localFormat } from './time-zone.ts';

const utc = 'UTC';
const daySeconds = 86_400;
/** A day is at most two hours longer than usual, when summer time ends. */
const longestDaySeconds = daySeconds + 7_200;

/** Dates and times of a time zone. */
export class LocalTime {
  readonly zone: string;
  readonly #local: ReturnType<typeof localFormat> | undefined;

  /** Throws a `RangeError` for an unknown time zone. */
  constructor(zone: string) {
    this.zone = zone;
    // The data of `Intl` take 8 MB of memory, which UTC does not need.
    if (zone !== utc) this.#local = localFormat(zone);
  }

  /** Such as `2026-10-31 14:02`. */
  text(atSeconds: number): string {
    const date = new Date(atSeconds * 1000);
    if (this.#local === undefined) {
      return date.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
    }
    const parts = this.#local.formatToParts(date);
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
    const day = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
    return `${day} ${part('hour')}:${part('minute')}`;
  }

  /** Such as `2026-10-31`. */
  date(atSeconds: number): string {
    return this.text(atSeconds).slice(0, 'YYYY-MM-DD'.length);
  }

  /** The begins of the last `count` days, the present one among them; oldest first. */
  days(count: number, nowSeconds: number): readonly number[] {
    const begins: number[] = [];
    for (let at = nowSeconds; begins.length < count; at = (begins[0] ?? at) - 1) {
      begins.unshift(this.#beginOfDay(at));
    }
    return begins;
  }

  /** The first second of the date: a change of summer time may skip midnight. */
  #beginOfDay(atSeconds: number): number {
    const at = Math.floor(atSeconds);
    if (this.#local === undefined) return at - (at % daySeconds);
    const date = this.date(at);
    let [before, from] = [at - longestDaySeconds, at];
    while (from - before > 1) {
      const middle = Math.floor((before + from) / 2);
      if (this.date(middle) < date) before = middle;
      else from = middle;
    }
    return from;
  }
}
