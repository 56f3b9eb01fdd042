import type { StateSpan, TimeRange } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';
import type { ReadPast } from '../feature.ts';
import { present } from '../lib/present.ts';
import { clip, subtract, union } from '../tally/maintenance-tally.ts';
import { noSeconds } from '../tally/state-tally.ts';
import { addedDays, daySums } from './day-sums.ts';
import { type MonthOutage, type MonthRecord, type MonthStates, total } from './month-record.ts';
import { plannedShare, sumOf } from './month-states.ts';

/** The states of an item in a month of which only the past that was read is known; undefined if nothing is. */
export function statesRead(
  past: ReadPast,
  life: TimeRange,
  dayBegins: readonly number[] = [],
): MonthStates | undefined {
  const nothing: MonthStates = {
    seconds: noSeconds,
    awaited: [],
    unwatched: [life],
    outages: [],
    knownBy: 'reports',
  };
  return filled(nothing, past, dayBegins);
}

/**
 * The record with the states of the time that was not watched; undefined if nothing of it was read.
 * The names, groups and objectives of the month stay.
 */
export function withPastStates(
  past: ReadPast,
  record: MonthRecord,
  { fromSeconds: begin }: Pick<TimeRange, 'fromSeconds'>,
  atSeconds: number,
  dayBegins: readonly number[] = [],
): MonthRecord | undefined {
  const { firstSeenSeconds: seen = begin } = record;
  // An item whose creation is not known may have existed before it was first seen.
  const isBefore = seen > begin && past.toSeconds >= seen && past.fromSeconds < seen;
  const before = { fromSeconds: Math.max(begin, past.fromSeconds), toSeconds: seen };
  const unwatched = isBefore ? union([before, ...record.unwatched]) : record.unwatched;
  const states = filled({ ...record, unwatched }, past, dayBegins);
  if (states === undefined) return undefined;
  const readFrom = isBefore ? before.fromSeconds : seen;
  return present({
    ...states,
    firstSeenSeconds: readFrom > begin ? readFrom : undefined,
    readAfterwards: record.readAfterwards ?? { share: 'part' as const, atSeconds },
  });
}

/** The states of a month with those of a past where they were not watched. */
function filled<T extends MonthStates>(
  month: T,
  past: ReadPast,
  dayBegins: readonly number[],
): T | undefined {
  const read = month.unwatched.flatMap((gap) => clip([gap], past.fromSeconds, past.toSeconds));
  const seconds = sumOf(past.states, read);
  if (total(seconds) === 0) return undefined;
  const planned = union(past.maintenance);
  const inMaintenance = read.flatMap((range) => clip(planned, range.fromSeconds, range.toSeconds));
  const maintenance = addedSeconds(
    month.maintenance ?? noSeconds,
    sumOf(past.states, inMaintenance),
  );
  const parts = { pieces: past.states, ranges: read, planned: inMaintenance };
  const days = addedDays(month.days, daySums(parts, dayBegins));
  const { up } = seconds;
  const isFollowed = total(month.seconds) > 0;
  // What is down from the end of a past on, that was not down before, has begun there.
  const begun = month.outages.map((outage) =>
    read.some(({ toSeconds }) => toSeconds === outage.fromSeconds)
      ? present({ ...outage, beganBefore: undefined })
      : outage,
  );
  const states: MonthStates = {
    ...month,
    seconds: addedSeconds(month.seconds, seconds),
    ...(total(maintenance) > 0 && { maintenance }),
    ...(days.length > 0 && { days }),
    unwatched: subtract(month.unwatched, read),
    outages: joinedOutages(outagesOf(past, planned, read, isFollowed), begun, past.toSeconds),
    knownBy: up === total(seconds) ? month.knownBy : 'reports',
  };
  return states as T;
}

/**
 * The outages of which a second is in these ranges. One that lasts until the end of the past has
 * ended there, if what follows is known.
 */
function outagesOf(
  { states, toSeconds: end }: ReadPast,
  planned: readonly TimeRange[],
  ranges: readonly TimeRange[],
  isFollowed: boolean,
): readonly MonthOutage[] {
  return states.flatMap((span: StateSpan, place): MonthOutage[] => {
    const { state, fromSeconds, toSeconds } = span;
    if (state !== 'down' || clip(ranges, fromSeconds, toSeconds).length === 0) return [];
    return [
      {
        fromSeconds,
        ...(place === 0 && { beganBefore: true }),
        ...((toSeconds < end || isFollowed) && { toSeconds }),
        causes: [],
        ...plannedShare(span, planned),
      },
    ];
  });
}

/**
 * The states of an item that left within the month and returned: those of its record until the log
 * of the returned item begins, and from then on those of the log.
 */
export function returnedStates(
  record: MonthStates,
  log: MonthStates,
  /** The states of the log as far as the record is counted. */
  overlap: MonthStates,
  { logFromSeconds, removedAtSeconds }: { logFromSeconds: number; removedAtSeconds: number },
): MonthStates {
  const before = { fromSeconds: Number.NEGATIVE_INFINITY, toSeconds: logFromSeconds };
  const told = { ...before, toSeconds: Math.min(logFromSeconds, removedAtSeconds) };
  const maintenance = addedSeconds(
    log.maintenance ?? noSeconds,
    less(record.maintenance ?? noSeconds, overlap.maintenance ?? noSeconds),
  );
  const days = addedDays(log.days, addedDays(record.days, overlap.days, -1));
  // Of an item without a known creation, the log has nothing before it was seen again.
  const away = { ...before, toSeconds: log.firstSeenSeconds ?? before.fromSeconds };
  return present({
    ...log,
    days: days.length > 0 ? days : undefined,
    seconds: addedSeconds(log.seconds, less(record.seconds, overlap.seconds)),
    maintenance: total(maintenance) > 0 ? maintenance : undefined,
    awaited: subtract(log.awaited, [told]),
    unwatched: union([
      ...subtract(union([away, ...log.unwatched]), [told]),
      ...clip(record.unwatched, before.fromSeconds, before.toSeconds),
    ]),
    outages: joinedOutages(
      openUntil(
        record.outages.filter(({ fromSeconds }) => fromSeconds < logFromSeconds),
        record.countedUntilSeconds ?? removedAtSeconds,
      ),
      log.outages,
      removedAtSeconds,
    ),
    knownBy: record.knownBy === 'lists' ? log.knownBy : 'reports',
    createdAtSeconds: record.createdAtSeconds ?? log.createdAtSeconds,
    firstSeenSeconds: record.firstSeenSeconds,
  });
}

/** The record with the end of an outage that it has without one; the same object if it has not. */
export function withEnd(record: MonthRecord, ended: MonthOutage): MonthRecord {
  const last = record.outages.at(-1);
  const { toSeconds } = ended;
  const isSame =
    last !== undefined &&
    toSeconds !== undefined &&
    last.toSeconds === undefined &&
    ended.fromSeconds <= last.fromSeconds &&
    toSeconds >= last.fromSeconds;
  if (!isSame) return record;
  const causes = [...new Set([...last.causes, ...ended.causes])];
  return { ...record, outages: [...record.outages.slice(0, -1), { ...last, toSeconds, causes }] };
}

/** Outages without an end are known to last until this time, unless later ones continue them. */
export function openUntil(
  outages: readonly MonthOutage[],
  knownUntilSeconds: number,
): readonly MonthOutage[] {
  if (outages.every(({ toSeconds }) => toSeconds !== undefined)) return outages;
  return outages.map((one) => (one.toSeconds === undefined ? { knownUntilSeconds, ...one } : one));
}

/**
 * The outages of two times: one that reaches from the one into the other is one outage. An open one
 * of the former ends at `endSeconds` at the earliest.
 */
export function joinedOutages(
  former: readonly MonthOutage[],
  outages: readonly MonthOutage[],
  endSeconds: number,
): readonly MonthOutage[] {
  const endOf = ({ toSeconds, knownUntilSeconds }: MonthOutage) =>
    toSeconds ?? knownUntilSeconds ?? endSeconds;
  const latest = former.reduce((end, one) => Math.max(end, endOf(one)), Number.NEGATIVE_INFINITY);
  // Outages of one list do not touch, so no other continues one of `former`. There can be thousands.
  const near = outages.filter(({ fromSeconds }) => fromSeconds <= latest);
  const left = [...outages];
  const joined = former.map((one) => {
    let merged = one;
    for (const other of near) {
      const { fromSeconds, toSeconds = Number.POSITIVE_INFINITY } = other;
      const isOne = fromSeconds <= endOf(merged) && merged.fromSeconds <= toSeconds;
      if (!isOne || !left.includes(other)) continue;
      merged = merge(merged, other);
      left.splice(left.indexOf(other), 1);
    }
    return merged;
  });
  return [...joined, ...left].sort((a, b) => a.fromSeconds - b.fromSeconds);
}

function merge(one: MonthOutage, other: MonthOutage): MonthOutage {
  const [first, last] = one.fromSeconds <= other.fromSeconds ? [one, other] : [other, one];
  const toSeconds =
    other.toSeconds === undefined ? undefined : Math.max(other.toSeconds, one.toSeconds ?? 0);
  const outsideFrom = [first, last]
    .filter((part) => part.maintenance !== 'whole')
    .map((part) => part.outsideFromSeconds ?? part.fromSeconds)[0];
  const isLater = outsideFrom !== undefined && outsideFrom > first.fromSeconds;
  return present({
    fromSeconds: first.fromSeconds,
    beganBefore: first.beganBefore,
    toSeconds,
    knownUntilSeconds: other.knownUntilSeconds,
    causes: [...new Set([...first.causes, ...last.causes])],
    maintenance: first.maintenance === last.maintenance ? first.maintenance : 'part',
    outsideFromSeconds: isLater ? outsideFrom : undefined,
  });
}

export function addedSeconds(a: SecondsByState, b: SecondsByState): SecondsByState {
  return {
    up: a.up + b.up,
    down: a.down + b.down,
    unknown: a.unknown + b.unknown,
    unmonitored: a.unmonitored + b.unmonitored,
  };
}

function less(a: SecondsByState, b: SecondsByState): SecondsByState {
  return {
    up: Math.max(0, a.up - b.up),
    down: Math.max(0, a.down - b.down),
    unknown: Math.max(0, a.unknown - b.unknown),
    unmonitored: Math.max(0, a.unmonitored - b.unmonitored),
  };
}
