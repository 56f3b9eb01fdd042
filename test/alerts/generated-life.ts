/** Pseudo-random numbers below 1 from a seed, so that a failed run can be repeated. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** From the first second, inclusive, to the last, exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The events of a check, its exporter and their scrapes, in seconds. */
export interface Life {
  readonly seed: number;
  readonly seconds: number;
  /** Seconds between two tests of the check. */
  readonly resolution: number;
  readonly scrape: number;
  /** The offset of the scrapes from the evaluations. */
  readonly phase: number;
  readonly evaluation: number;
  readonly outages: readonly Span[];
  readonly maintenance: readonly Span[];
  readonly pauses: readonly Span[];
  readonly deletedAt: number;
  readonly renamedAt: number;
  /** A reload of the exporter promotes another label. */
  readonly relabelledAt: number;
  /** The exporter is stopped. */
  readonly away: readonly Span[];
  /** The service does not respond to the exporter. */
  readonly blind: readonly Span[];
  /** Single scrapes fail. */
  readonly failedScrapes: readonly number[];
  /** The store is lost at the end of the stop that contains this second. */
  readonly storeLostAt: number;
}

const minute = 60;
const never = Number.POSITIVE_INFINITY;

/** A life with some of these events. */
export function generatedLife(seed: number): Life {
  const random = randomFrom(seed);
  const oneOf = <T>(...list: readonly [T, ...T[]]) =>
    list[Math.floor(random() * list.length)] ?? list[0];
  const maybe = (share: number) => random() < share;
  const resolution = oneOf(1, 1, 1, 5, 5, 15, 30, 60) * minute;
  // Prometheus is stopped if the time between two evaluations is this long.
  const evaluation = oneOf(15, 20, 30, 45, 60, 60, 330);
  const seconds = evaluation > minute ? 6 * 3600 : 2 * 3600;
  const at = () => Math.floor(random() * (seconds - 40 * minute)) + 8 * minute;
  const spanOf = (least: number, most: number): Span => {
    const from = at();
    return { from, to: from + Math.floor(minute * (least + random() * (most - least))) };
  };
  const some = (share: number, make: () => Span) => (maybe(share) ? [make()] : []);
  const flaps = maybe(0.2);
  const begin = 10 * minute + Math.floor(random() * 600);
  const outages = flaps
    ? Array.from({ length: 4 }, (_, time) => ({
        from: begin + time * 12 * minute,
        to: begin + time * 12 * minute + 5 * minute,
      }))
    : apart([spanOf(2, 50), ...some(0.5, () => spanOf(1, 20))]);
  return {
    seed,
    seconds,
    resolution: flaps ? minute : resolution,
    scrape: oneOf(15, 30, 30, 60, 60, 120),
    phase: oneOf(7, 20, 45),
    evaluation,
    outages,
    maintenance: some(0.2, () => spanOf(10, 40)),
    pauses: some(0.15, () => spanOf(10, 40)),
    deletedAt: maybe(0.1) ? at() : never,
    renamedAt: maybe(0.2) ? at() : never,
    relabelledAt: maybe(0.25) ? at() : never,
    away: apart([...some(0.5, () => spanOf(1, 30)), ...some(0.3, () => spanOf(1, 5))]),
    blind: some(0.3, () => spanOf(3, 40)),
    failedScrapes: [at(), at(), at()].slice(0, Math.floor(random() * 4)),
    storeLostAt: maybe(0.3) ? at() : never,
  };
}

/** Removes spans that touch an earlier one. */
function apart(spans: readonly Span[]): readonly Span[] {
  return spans
    .toSorted((a, b) => a.from - b.from)
    .filter((one, place, all) =>
      all.slice(0, place).every(({ to }) => to + 10 * minute < one.from),
    );
}

export function isIn(spans: readonly Span[], second: number): boolean {
  return spans.some(({ from, to }) => second >= from && second < to);
}
