import type { SandboxCheck } from '../../account/checks.ts';
import { day, hour, week } from '../../lib/instant.ts';
import { HttpError } from '../../server/http-error.ts';
import { enumParameter, type Inputs, integerListParameter } from '../../server/parameters.ts';
import type { Segment } from '../../simulation/history.ts';
import { reportEnd } from '../../simulation/report-bounds.ts';
import type { Wire } from '../../wire.ts';
import type { OperationContext } from '../operation.ts';
import { checkById, flag, inOrder, order, periodOf, selection } from '../readers.ts';
import { operation, together } from '../table.ts';
import { Means, secondsByState, zoneOffsetSeconds } from './averages.ts';

interface IntervalGrid {
  readonly seconds: number;
  /** A time at which an interval begins in UTC; weeks begin on Monday. */
  readonly origin: number;
  /** The longest allowed period. */
  readonly maxPeriodSeconds: number;
  /** The name of the list of intervals. */
  readonly listName: string;
}

/**
 * A service that limits reports by the hour as it documents for transactions; see the wire's `hoursSpan`.
 */
const documentedHoursSeconds = week + day;

/** The limit by the hour was observed; the limit by the day is documented for transactions. */
const intervalGrids = {
  hour: { seconds: hour, origin: 0, maxPeriodSeconds: 60 * day, listName: 'hours' },
  day: { seconds: day, origin: 0, maxPeriodSeconds: 185 * day, listName: 'days' },
  week: {
    seconds: week,
    origin: 4 * day,
    maxPeriodSeconds: Number.POSITIVE_INFINITY,
    listName: 'weeks',
  },
} as const satisfies Record<string, IntervalGrid>;

/**
 * The start of the interval that contains `time`, in a zone that is ahead of UTC by `zoneSeconds`.
 */
function intervalStart({ seconds, origin }: IntervalGrid, time: number, zoneSeconds = 0): number {
  return time - ((((time - origin + zoneSeconds) % seconds) + seconds) % seconds);
}

/** The midnight at which the day of a zone begins that contains `time`. */
function dayStart(time: number, timeZone: string): number {
  const local = time + zoneOffsetSeconds(timeZone, time);
  const midnight = local - (local % day);
  const start = midnight - zoneOffsetSeconds(timeZone, time);
  return midnight - zoneOffsetSeconds(timeZone, start);
}

/** The starts of intervals of a report that ends at `to`. */
interface Starts {
  of(time: number): number;
  after(start: number): number;
}

function startsOf(
  grid: IntervalGrid,
  { from, to }: { readonly from: number; readonly to: number },
  { timeZone, days }: Wire,
): Starts {
  if (grid.listName === 'days' && days === 'of-the-calendar') {
    const midnights = [dayStart(from, timeZone)];
    const next = () => dayStart((midnights.at(-1) ?? to) + day + 2 * hour, timeZone);
    while ((midnights.at(-1) ?? to) <= to) midnights.push(next());
    return {
      of: (time) => midnights.findLast((midnight) => midnight <= time) ?? from,
      after: (start) => midnights.find((midnight) => midnight > start) ?? to,
    };
  }
  const zone = zoneOffsetSeconds(timeZone, to);
  return {
    of: (time) => intervalStart(grid, time, zone),
    after: (start) => start + grid.seconds,
  };
}

const defaultIntervals = 10;

const gridOf = (inputs: Inputs): IntervalGrid =>
  intervalGrids[enumParameter(inputs, 'resolution', ['hour', 'day', 'week']) ?? 'hour'];

const limitedPeriod = together(['from', 'to'], (inputs, { world, now }) => {
  const { seconds, maxPeriodSeconds, listName } = gridOf(inputs);
  const given = periodOf(inputs, now, (end) => end - defaultIntervals * seconds);
  const isShort = listName === 'hours' && world.wire.hoursSpan === '8-days';
  if (given.to - given.from <= (isShort ? documentedHoursSeconds : maxPeriodSeconds)) return given;
  throw new HttpError(400, 'Interval is too big for this resolution');
});

/**
 * API 3.1, sections 2.9 and 4.4. The first interval is whole and contains `from` or the creation of
 * the check; the last one ends with the period. Intervals are in the account's zone, with its
 * offset at the end of the period, unless the wire has days of the calendar. The last test has no
 * duration before the next one. Time that is neither up nor down is unmonitored.
 */
export const readPerformance = operation(
  'get_performance',
  'GET /summary.performance/:checkid',
  'read the average response time and uptime of a check by hour, day or week',
  {
    checkid: checkById,
    resolution: gridOf,
    period: limitedPeriod,
    includeuptime: flag,
    probes: integerListParameter,
    order,
  },
  (
    { checkid: check, resolution: grid, period: { from, to }, includeuptime, probes, ...given },
    context,
  ) => {
    const { history, wire } = context.world;
    const onlySomeProbes = probes.length > 0;
    if (includeuptime && onlySomeProbes) {
      throw new HttpError(400, 'Parameter probes cannot be used together with includeuptime');
    }

    const isSelected = selection(probes);
    const means = new Means<number>();
    const begin = Math.max(from, Math.min(to, check.created));
    const starts = startsOf(grid, { from: begin, to }, wire);
    const start = starts.of(begin);
    history.eachGoodTest(check, start, to + 1, (time, probeId, milliseconds) => {
      if (isSelected(probeId)) means.add(starts.of(time), milliseconds);
    });
    const known = Math.min(to, knownUntil(context, check));
    const segments = includeuptime ? history.segments(check, start, known, context.now) : [];

    const intervals: object[] = [];
    for (let starttime = start; starttime < to; starttime = starts.after(starttime)) {
      const mean = means.of(starttime);
      if (onlySomeProbes && mean === undefined) continue;
      const average = { starttime, avgresponse: mean?.rounded ?? 0 };
      const end = Math.min(starts.after(starttime), to);
      intervals.push(
        includeuptime ? { ...average, ...uptimeWithin(segments, starttime, end) } : average,
      );
    }
    return { summary: { [grid.listName]: inOrder(given.order, intervals) } };
  },
);

/** The state of a tested check is known up to its last test. */
function knownUntil({ world, now }: OperationContext, check: SandboxCheck): number {
  const isTested = check.runs.some(({ from, to }) => from <= now && (to === undefined || to > now));
  return isTested ? reportEnd(world.history, check, now, world.wire) : now;
}

function uptimeWithin(segments: readonly Segment[], from: number, to: number) {
  const parts = segments
    .filter((segment) => segment.from < to && segment.to > from)
    .map((segment) => ({
      ...segment,
      from: Math.max(from, segment.from),
      to: Math.min(to, segment.to),
    }));
  const { up, down } = secondsByState(parts);
  return { uptime: up, downtime: down, unmonitored: to - from - up - down };
}
