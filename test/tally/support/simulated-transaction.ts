import type { MonitoredState, StateSpan, TalliedState } from '../../../src/domain/interval.ts';
import { type Dice, within } from './simulated-life.ts';

/** How the service behaves where its documents are silent. Ranges of seconds include both ends. */
export interface TransactionWire {
  /** The intervals between two runs, of which each stretch of runs has one. */
  readonly intervals: readonly number[];
  /** Where a report begins: with its range, or with the first run in it. */
  readonly reportsBegin: 'range' | 'first-run';
  /** Whether states that began before the range of a report are cut to it. */
  readonly cutsStates: boolean;
  /** Whether a report has a state for each run, even where the one before it is the same. */
  readonly statePerRun: boolean;
  /** Where a report ends: with the start of the last run that it has, or now. */
  readonly reportsEnd: 'last-run' | 'now';
  readonly reportLagSeconds: readonly [number, number];
  readonly listLagSeconds: readonly [number, number];
  /** A run is listed and reported so many seconds after its start. */
  readonly runSeconds: readonly [number, number];
  /** Whether an end of a downtime that has not ended is the last run, or absent. */
  readonly openDownEnd: 'last-run' | 'absent';
  /** Whether a stretch of runs follows another one at once: only the interval has changed. */
  readonly changes: readonly ('stop' | 'interval')[];
  /** The share of reports in which some states, or the transaction, cannot be read. */
  readonly unreadableShare: number;
  /** Since the creation. */
  readonly firstReadSeconds: readonly [number, number];
  readonly readsSeconds: readonly [number, number];
  /** The share of readings after which nothing is read for some time. */
  readonly blindShare: number;
  readonly blindSeconds: readonly [number, number];
  readonly restarts: boolean;
  /** How long it lives; longer than the longest time in which nothing is read. */
  readonly lifeSeconds: number;
}

/** UNIX seconds of the creation. */
export const createdSeconds = 1_767_225_600;
/** It stops and changes its interval until then. */
export const changesUntil = createdSeconds + 24 * 3_600;

/** Runs at one interval, [from, to). */
interface Stretch {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** The transaction is stopped at the end. */
  readonly isStopped: boolean;
  readonly intervalSeconds: number;
}

interface Run {
  readonly atSeconds: number;
  readonly knownSeconds: number;
  readonly state: MonitoredState;
  readonly stretch: Stretch;
}

/** One transaction of a simulated service: its true states, and what is said of them. */
export class SimulatedTransaction {
  readonly #wire: TransactionWire;
  readonly #stretches: Stretch[] = [];
  readonly #runs: Run[] = [];

  constructor(wire: TransactionWire, chance: Dice) {
    this.#wire = wire;
    this.#live(chance);
    this.#run(chance);
  }

  /** The true states up to a time, as far as the reports of this service ever show them. */
  spansUntil(toSeconds: number): StateSpan[] {
    const reported = this.#spansOf(this.#runs, createdSeconds + this.#wire.lifeSeconds);
    const spans: StateSpan[] = [];
    let covered = createdSeconds;
    const add = (state: TalliedState, from: number, to: number) => {
      if (from < to) spans.push({ state, fromSeconds: from, toSeconds: to });
    };
    for (const { state, fromSeconds, toSeconds: end } of reported) {
      add('unmonitored', covered, Math.min(fromSeconds, toSeconds));
      add(state, fromSeconds, Math.min(end, toSeconds));
      covered = end;
    }
    add('unmonitored', covered, toSeconds);
    return spans;
  }

  /** The entry of a list whose content is of this time (API 3.1, section 4.6). */
  entryAt(seconds: number): object {
    const stretch = this.#stretches.findLast(({ fromSeconds }) => fromSeconds <= seconds);
    const active = stretch !== undefined && seconds < stretch.toSeconds;
    const runs = this.#known(seconds);
    const last = runs.at(-1);
    const down = this.#spansOf(runs, seconds).findLast(({ state }) => state === 'down');
    const isOver = last?.state !== 'down' || !active;
    const openEnd = this.#wire.openDownEnd === 'absent' ? undefined : last?.atSeconds;
    const words = { up: 'successful', down: 'failing', unknown: 'unknown' } as const;
    const modified = active ? stretch.fromSeconds : stretch?.toSeconds;
    return {
      id: 50,
      name: 'simulated',
      status: active && last !== undefined ? words[last.state] : 'unknown',
      active,
      interval: (stretch?.intervalSeconds ?? 600) / 60,
      created_at: createdSeconds,
      modified_at: modified ?? createdSeconds,
      last_downtime_start: down?.fromSeconds,
      last_downtime_end: down && (isOver ? down.toSeconds : openEnd),
    };
  }

  /** The states of a report from a time on whose content is of another time. */
  reportFrom(fromSeconds: number, contentSeconds: number): StateSpan<MonitoredState>[] {
    const runs = this.#known(contentSeconds);
    const first =
      this.#wire.reportsBegin === 'range'
        ? runs.findLastIndex(({ atSeconds }) => atSeconds <= fromSeconds)
        : runs.findIndex(({ atSeconds }) => atSeconds >= fromSeconds);
    if (first === -1 && this.#wire.reportsBegin === 'first-run') return [];
    const isWhole = this.#wire.reportsBegin === 'range' && !this.#wire.cutsStates;
    const spans = this.#spansOf(
      runs.slice(isWhole ? 0 : Math.max(0, first)),
      contentSeconds,
      this.#wire.statePerRun,
    ).filter(({ toSeconds }) => toSeconds > fromSeconds);
    if (isWhole) return spans;
    return spans.map((span) => ({ ...span, fromSeconds: Math.max(span.fromSeconds, fromSeconds) }));
  }

  #known(seconds: number): readonly Run[] {
    return this.#runs.filter(({ knownSeconds }) => knownSeconds <= seconds);
  }

  /** The states that these runs prove: that of a run lasts until the next one, or a change. */
  #spansOf(runs: readonly Run[], nowSeconds: number, perRun = false): StateSpan<MonitoredState>[] {
    const spans: StateSpan<MonitoredState>[] = [];
    for (const [place, { atSeconds, state, stretch }] of runs.entries()) {
      const next = runs[place + 1];
      const end = Math.min(stretch.toSeconds, next?.atSeconds ?? nowSeconds);
      const isLast = next === undefined || (stretch.isStopped && next.stretch !== stretch);
      const toSeconds = isLast && this.#wire.reportsEnd === 'last-run' ? atSeconds : end;
      if (toSeconds <= atSeconds) continue;
      const before = spans.at(-1);
      if (!perRun && before?.state === state && before.toSeconds === atSeconds) {
        spans[spans.length - 1] = { ...before, toSeconds };
      } else spans.push({ state, fromSeconds: atSeconds, toSeconds });
    }
    return spans;
  }

  #live(chance: Dice): void {
    const { intervals, changes } = this.#wire;
    const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T;
    let at = createdSeconds;
    while (at < changesUntil) {
      const intervalSeconds = pick(intervals);
      const length = within(chance, chance() < 0.3 ? [60, 2_400] : [600, 20_000]);
      const isStopped = pick(changes) === 'stop';
      const toSeconds = at + length;
      this.#stretches.push({ fromSeconds: at, toSeconds, isStopped, intervalSeconds });
      at =
        toSeconds + (isStopped ? within(chance, chance() < 0.5 ? [30, 2_400] : [60, 12_000]) : 0);
    }
    if (chance() < 0.3) return;
    const forGood = { toSeconds: Number.POSITIVE_INFINITY, isStopped: false };
    this.#stretches.push({ fromSeconds: at, ...forGood, intervalSeconds: pick(intervals) });
  }

  #run(chance: Dice): void {
    let state: MonitoredState = 'up';
    for (const stretch of this.#stretches) {
      const end = Math.min(stretch.toSeconds, createdSeconds + this.#wire.lifeSeconds);
      const first = stretch.fromSeconds + within(chance, [1, 60]);
      for (let at = first; at < end; at += stretch.intervalSeconds) {
        const isChanged = chance() < (state === 'up' ? 0.12 : 0.4);
        if (isChanged) state = state === 'up' && chance() < 0.8 ? 'down' : otherThan(state, chance);
        const ends = at + within(chance, this.#wire.runSeconds);
        // One that begins at a new interval does not end before the one before it.
        const knownSeconds = Math.max(ends, this.#runs.at(-1)?.knownSeconds ?? 0);
        this.#runs.push({ atSeconds: at, knownSeconds, state, stretch });
      }
    }
  }
}

function otherThan(state: MonitoredState, chance: Dice): MonitoredState {
  if (state === 'up') return 'unknown';
  if (chance() < 0.7) return 'up';
  return state === 'down' ? 'unknown' : 'down';
}
