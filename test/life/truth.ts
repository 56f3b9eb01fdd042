import type { Sandbox } from '../../sandbox/src/sandbox.ts';

export type State = 'up' | 'down' | 'unknown' | 'unmonitored';
export const states = ['up', 'down', 'unknown', 'unmonitored'] as const;
export type Seconds = Readonly<Record<State, number>>;

/** [from, to) in UNIX seconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Span extends Range {
  readonly state: State;
}

type CheckOf = NonNullable<ReturnType<Sandbox['world']['check']>>;

/** What really happened to the checks of the simulated service, second by second. */
export class Truth {
  readonly #sandbox: Sandbox;
  /** Also those that were deleted. */
  readonly #checks = new Map<number, CheckOf>();
  /** The past occurrences of deleted maintenance windows, by check. */
  readonly #deleted = new Map<number, Range[]>();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  check(id: number): CheckOf {
    const check = this.#sandbox.world.check(id) ?? this.#checks.get(id);
    if (check === undefined) throw new Error(`there was never a check ${id}`);
    this.#checks.set(id, check);
    return check;
  }

  /** The states from one time to another, without gaps, as they are known now. */
  spans(id: number, { from, to }: Range, now: number): Span[] {
    const spans: Span[] = [];
    const add = (state: State, begin: number, end: number) => {
      if (begin >= end) return;
      const last = spans.at(-1);
      if (last?.state === state) spans[spans.length - 1] = { ...last, to: end };
      else spans.push({ state, from: begin, to: end });
    };
    let covered = from;
    for (const segment of this.#sandbox.history.segments(this.check(id), from, to, now)) {
      add('unmonitored', covered, segment.from);
      add(segment.status, segment.from, segment.to);
      covered = segment.to;
    }
    add('unmonitored', covered, to);
    return spans;
  }

  /**
   * The confirmed outages that overlap a range, as known at its end; oldest first. A change of the
   * resolution divides an outage of the service into two, which are one here.
   */
  outages(id: number, range: Range): { readonly start: number; readonly end?: number }[] {
    const outages: { start: number; end?: number; recovered: boolean }[] = [];
    for (const next of this.dividedOutages(id, range)) {
      const last = outages.at(-1);
      if (last?.end === next.start && !last.recovered) {
        outages[outages.length - 1] = { ...next, start: last.start };
      } else outages.push(next);
    }
    return outages;
  }

  /** The same, as lists have them. */
  dividedOutages(id: number, { from, to }: Range) {
    return [...this.#sandbox.history.outages(this.check(id), from, to)].reverse();
  }

  /** What is past of the windows that are about to be deleted stays maintenance. */
  windowIsDeleted(windowId: number, now: number): void {
    const { windows, occurrencesInOrder } = this.#sandbox.world.maintenance;
    for (const id of windows.find(windowId)?.uptimeids ?? []) {
      const past = occurrencesInOrder
        .filter(({ maintenanceid, from }) => maintenanceid === windowId && from < now)
        .map(({ from, to }) => ({ from, to: Math.min(to, now) }));
      this.#deleted.set(id, [...(this.#deleted.get(id) ?? []), ...past]);
    }
  }

  /** The times of maintenance of a check. */
  maintenance(id: number): Range[] {
    const { windows, occurrencesInOrder } = this.#sandbox.world.maintenance;
    const ofCheck = new Set(
      windows.all.filter(({ uptimeids }) => uptimeids.includes(id)).map((window) => window.id),
    );
    const listed = occurrencesInOrder.filter(({ maintenanceid }) => ofCheck.has(maintenanceid));
    return [...listed, ...(this.#deleted.get(id) ?? [])];
  }
}

/** The seconds of each state in a range. */
export function secondsIn(spans: readonly Span[], range: Range): Seconds {
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  for (const { state, from, to } of spans) seconds[state] += overlap({ from, to }, range);
  return seconds;
}

/** The same without some times, which may overlap each other. */
export function secondsOutside(
  spans: readonly Span[],
  range: Range,
  without: readonly Range[],
): Seconds {
  const seconds = { ...secondsIn(spans, range) };
  let covered = range.from;
  for (const { from, to } of without.toSorted((a, b) => a.from - b.from)) {
    const piece = { from: Math.max(from, covered), to: Math.min(to, range.to) };
    if (piece.from >= piece.to) continue;
    covered = piece.to;
    const within = secondsIn(spans, piece);
    for (const state of states) seconds[state] -= within[state];
  }
  return seconds;
}

/** A list as of `at`, in UNIX seconds, with the state that it showed: it may lag behind a test. */
export interface Look {
  readonly at: number;
  readonly state: State | undefined;
}

/** The seconds of a state that no list showed at any moment of its span. */
export function unseenSeconds(
  spans: readonly Span[],
  range: Range,
  state: State,
  looks: readonly Look[],
): number {
  return spans
    .filter((span) => span.state === state)
    .filter(
      ({ from, to }) =>
        !looks.some((look) => look.state === state && from <= look.at && look.at < to),
    )
    .reduce((sum, span) => sum + overlap(span, range), 0);
}

/** The number of times that the state became down within a range. */
export function outagesBegun(spans: readonly Span[], range: Range): number {
  return spans.filter(({ state, from }) => state === 'down' && from > range.from && from < range.to)
    .length;
}

export function overlap(a: Range, b: Range): number {
  return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));
}
