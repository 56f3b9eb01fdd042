/** What is added up of items. Seconds. */
export interface Sums {
  readonly items: number;
  /** Up and down outside maintenance. */
  readonly up: number;
  readonly down: number;
  /** Outages that began in the month and were not wholly in maintenance. */
  readonly outages: number;
  readonly longestOutage: number;
  readonly maintenance: number;
  /** The service did not know the state. */
  readonly unknown: number;
  /** Paused, or never tested so far. */
  readonly unmonitored: number;
  /** The exporter does not know the state. */
  readonly unwatched: number;
  /** Known only as sums by the hour: outages in them are not counted. */
  readonly folded: number;
  readonly known: number;
}

export const noItems: Sums = {
  items: 0,
  up: 0,
  down: 0,
  outages: 0,
  longestOutage: 0,
  maintenance: 0,
  unknown: 0,
  unmonitored: 0,
  unwatched: 0,
  folded: 0,
  known: 0,
};

export function added(a: Sums, b: Sums): Sums {
  return {
    items: a.items + b.items,
    up: a.up + b.up,
    down: a.down + b.down,
    outages: a.outages + b.outages,
    longestOutage: Math.max(a.longestOutage, b.longestOutage),
    maintenance: a.maintenance + b.maintenance,
    unknown: a.unknown + b.unknown,
    unmonitored: a.unmonitored + b.unmonitored,
    unwatched: a.unwatched + b.unwatched,
    folded: a.folded + b.folded,
    known: a.known + b.known,
  };
}

/** The share of the tested seconds that were up; undefined without such time. */
export function availabilityOf(up: number, down: number): number | undefined {
  return up + down === 0 ? undefined : up / (up + down);
}

/** The seconds down that the objective still permits, negative if it is missed; undefined without tested time. */
export function marginOf(up: number, down: number, objective: number): number | undefined {
  return up + down === 0 ? undefined : (up + down) * (1 - objective) - down;
}
