import { hour, week } from '../../lib/instant.ts';
import { HttpError } from '../../server/http-error.ts';
import { integerListParameter } from '../../server/parameters.ts';
import type { Segment } from '../../simulation/history.ts';
import { probeOf } from '../../simulation/probes.ts';
import type { MonitoredState } from '../../vocabulary.ts';
import { checkById, flag, period, periodOf, selection } from '../readers.ts';
import { operation, together } from '../table.ts';

/** The part of the period in which the check exists. */
const sinceCreation = together(['from', 'to'], (inputs, context) => {
  const { created } = checkById(inputs, 'checkid', context);
  const { from, to } = periodOf(inputs, context.now, () => created);
  return { from: Math.min(to, Math.max(from, created)), to };
});

/**
 * API 3.1, sections 2.9 and 4.4. The average covers the tests with a response time, rounded to
 * whole milliseconds; 0 without such a test.
 */
export const readAverage = operation(
  'get_average',
  'GET /summary.average/:checkid',
  'read the average response time and seconds by state of a check',
  {
    checkid: checkById,
    period: sinceCreation,
    probes: integerListParameter,
    includeuptime: flag,
    bycountry: flag,
    byprobe: flag,
  },
  ({ checkid: check, period: { from, to }, probes, ...given }, { world, now }) => {
    const isSelected = selection(probes);
    if (given.bycountry && given.byprobe) {
      throw new HttpError(400, 'Parameters bycountry and byprobe cannot be used together');
    }
    const all = new Mean();
    const perProbe = new Means<number>();
    const perCountry = new Means<string>();
    world.history.eachGoodTest(check, from, to + 1, (_time, probeId, milliseconds) => {
      if (!isSelected(probeId)) return;
      if (given.byprobe) perProbe.add(probeId, milliseconds);
      else if (given.bycountry) perCountry.add(countryOf(probeId), milliseconds);
      else all.add(milliseconds);
    });

    let avgresponse: unknown = all.rounded;
    if (given.byprobe) {
      avgresponse = perProbe
        .sorted()
        .map(([probeid, mean]) => ({ probeid, avgresponse: mean.rounded }));
    } else if (given.bycountry) {
      avgresponse = perCountry
        .sorted()
        .map(([countryiso, mean]) => ({ countryiso, avgresponse: mean.rounded }));
    }
    const responsetime = { from, to, avgresponse };
    if (!given.includeuptime) return { summary: { responsetime } };
    const { up, down, unknown } = secondsByState(world.history.segments(check, from, to, now));
    const status = { totalup: up, totaldown: down, totalunknown: unknown };
    return { summary: { responsetime, status } };
  },
);

function countryOf(probeId: number): string {
  return probeOf(probeId)?.countryiso ?? '';
}

/** Zones are ahead of UTC by whole quarters of an hour. */
const quarter = hour / 4;

/**
 * Returns the hour of the day at a time in UNIX seconds, in UTC or in a zone of the time zone
 * database.
 */
export function hourOfDay(timeZone = 'UTC'): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: 'numeric',
    hourCycle: 'h23',
  });
  // Zones change their offset on a quarter of an hour, so each quarter is computed only once.
  const known = new Map<number, number>();
  return (time) => {
    const start = Math.floor(time / quarter);
    let local = known.get(start);
    if (local === undefined) {
      local = Number(format.format(start * quarter * 1000));
      known.set(start, local);
    }
    return local;
  };
}

/** The seconds by which the clocks of a zone are ahead of UTC at a time in UNIX seconds. */
export function zoneOffsetSeconds(timeZone: string, time: number): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(time * 1000).find(({ type }) => type === 'timeZoneName');
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name?.value ?? '') ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * hour + Number(minutes) * 60);
}

/** API 3.1, sections 2.9 and 4.4. */
export const readHoursOfDay = operation(
  'get_hours_of_day',
  'GET /summary.hoursofday/:checkid',
  'read the average response time of a check by hour of the day',
  {
    checkid: checkById,
    period: period((end) => end - week),
    probes: integerListParameter,
    uselocaltime: flag,
  },
  ({ checkid: check, period: { from, to }, probes, uselocaltime }, { world }) => {
    const isSelected = selection(probes);
    const hourAt = hourOfDay(uselocaltime ? world.wire.timeZone : 'UTC');
    const perHour = new Means<number>();
    world.history.eachGoodTest(check, from, to + 1, (time, probeId, milliseconds) => {
      if (isSelected(probeId)) perHour.add(hourAt(time), milliseconds);
    });
    return {
      hoursofday: perHour
        .sorted()
        .map(([localHour, mean]) => ({ hour: localHour, avgresponse: mean.rounded })),
    };
  },
);

/** A mean of whole numbers, exact until it is rounded. */
class Mean {
  #sum = 0;
  #count = 0;

  add(value: number): void {
    this.#sum += value;
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  /** Rounded to the nearest whole number, halves up; 0 without values. */
  get rounded(): number {
    return this.#count === 0 ? 0 : Math.round(this.#sum / this.#count);
  }
}

/** Means by key, in the order in which the keys first appear. */
export class Means<K> {
  readonly #means = new Map<K, Mean>();

  add(key: K, value: number): void {
    const mean = this.#means.get(key) ?? new Mean();
    this.#means.set(key, mean);
    mean.add(value);
  }

  of(key: K): Mean | undefined {
    return this.#means.get(key);
  }

  /** The keys, smallest first, with their means. */
  sorted(): [K, Mean][] {
    return [...this.#means].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** The total seconds of the segments by state. */
export function secondsByState(segments: Iterable<Segment>): Record<MonitoredState, number> {
  const seconds = { up: 0, down: 0, unknown: 0 };
  for (const { status, from, to } of segments) seconds[status] += to - from;
  return seconds;
}
