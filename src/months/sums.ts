import { isHalfKnown, type RangeSums, shownAvailability } from '../slo/verdict.ts';

const hourSeconds = 3_600;

/** What is added up of items. Seconds. */
export interface Sums extends RangeSums {
  readonly items: number;
  /** The items of which some time is awaited. */
  readonly awaitedItems: number;
  /** The time of a month that goes on, in which they may still be tested. */
  readonly ahead: number;
  /** Outages that count in the month. */
  readonly outages: number;
  /** The longest part of one of them that is in the month. */
  readonly longestOutage: number;
  readonly maintenance: number;
  /** The service did not know the state. */
  readonly unknown: number;
  /** Paused, or never tested so far. */
  readonly unmonitored: number;
  /** Known only as sums by the hour: outages in them are not counted. */
  readonly folded: number;
}

export const noItems: Sums = {
  items: 0,
  awaitedItems: 0,
  up: 0,
  down: 0,
  ahead: 0,
  outages: 0,
  longestOutage: 0,
  maintenance: 0,
  unknown: 0,
  unmonitored: 0,
  awaited: 0,
  unwatched: 0,
  folded: 0,
  known: 0,
};

export function added(a: Sums, b: Sums): Sums {
  return {
    items: a.items + b.items,
    awaitedItems: a.awaitedItems + b.awaitedItems,
    up: a.up + b.up,
    down: a.down + b.down,
    ahead: a.ahead + b.ahead,
    outages: a.outages + b.outages,
    longestOutage: Math.max(a.longestOutage, b.longestOutage),
    maintenance: a.maintenance + b.maintenance,
    unknown: a.unknown + b.unknown,
    unmonitored: a.unmonitored + b.unmonitored,
    awaited: a.awaited + b.awaited,
    unwatched: a.unwatched + b.unwatched,
    folded: a.folded + b.folded,
    known: a.known + b.known,
  };
}

/** What can be compared with another month: sums if all of it is known, a ratio if half of it is. */
export function comparableOf(sums: Sums): {
  readonly availability: number | undefined;
  readonly down: number | undefined;
  readonly outages: number | undefined;
} {
  const { known, awaited, unwatched, folded, down, outages } = sums;
  const isWhole = known > 0 && awaited + unwatched === 0;
  return {
    availability: isHalfKnown(sums) ? shownAvailability(sums) : undefined,
    down: isWhole ? down : undefined,
    outages: isWhole && folded === 0 ? outages : undefined,
  };
}

/** The response time of some hours, if these are at least half of those that may have one. */
export function comparableResponse(
  { up, awaited, unwatched }: RangeSums,
  hours: number,
  response: number | undefined,
): number | undefined {
  return 2 * hourSeconds * hours < up + awaited + unwatched ? undefined : response;
}
