import { isDeepStrictEqual } from 'node:util';
import { type StateSpan, talliedStates } from '../../../src/domain/interval.ts';
import { hashUnit } from '../../../src/lib/random.ts';
import { append } from '../../../src/slo/log-append.ts';
import { withPast, withTail } from '../../../src/slo/log-past.ts';
import { logAtFirstSight, missingPast } from '../../../src/slo/past.ts';
import {
  emptyLog,
  historySeconds,
  isBeginning,
  type KnownStates,
  type StateLog,
  spansOf,
} from '../../../src/slo/state-log.ts';
import { logBody, readLog } from '../../../src/store/format/items.ts';
import { CountingModel } from './counting-model.ts';

const startSeconds = 1_767_225_600;

export interface LogLife {
  readonly seed: number;
  /** The number of lists and reports. */
  readonly steps: number;
  /** States last minutes, so that a long life has more changes than a log keeps. */
  readonly isFlapping?: boolean;
}

/**
 * A random life of one item: first sight in any state, a past that is read later, with or without a
 * tail, states that contradict the one at the horizon, spans of seconds or of weeks, and restarts
 * from the store. Throws if counters, the open outage or the last duration differ from the model, or
 * the states of 35 days from the recorded ones.
 */
export class LifeOfALog {
  readonly #life: LogLife;
  #draws = 0;
  /** The true states, from the past on. */
  #truth: StateSpan[] = [];

  constructor(life: LogLife) {
    this.#life = life;
  }

  play(): StateLog | undefined {
    const { steps, isFlapping = false } = this.#life;
    const longest = isFlapping ? 120 : this.#oneOf([600, 6 * 3_600, 5 * 86_400, 60 * 86_400]);
    const state = this.#oneOf(talliedStates);
    const isUp = state === 'up' && this.#chance() < 0.5;
    const isListed = this.#chance() < 0.5;
    const sinceSeconds = isListed ? startSeconds - this.#length(90_000) : undefined;
    let known: KnownStates = {
      states: { startSeconds, horizonSeconds: startSeconds, state },
      ...(!isUp && { log: state === 'down' ? openSince(sinceSeconds) : emptyLog(startSeconds) }),
    };
    const open = state === 'down' ? { sinceSeconds } : undefined;
    const model = new CountingModel({ startSeconds, state, isPastKnown: isUp, open });
    if (state === 'down' && sinceSeconds !== undefined) {
      this.#truth.push({ state, fromSeconds: sinceSeconds, toSeconds: startSeconds });
    }
    let isPastRead = isUp;
    for (let step = 0; step < steps; step++) {
      // The report of the past may come before the first list or report after first sight.
      const past = missingPast(known, {});
      if (!isPastRead && past !== undefined && this.#chance() < 0.2) {
        isPastRead = true;
        known = this.#readPast(known, past.toSeconds, model);
        model.requireSame(known);
      }
      const recorded = this.#recorded(known, longest, isFlapping);
      const horizonSeconds = recorded.at(-1)?.toSeconds ?? startSeconds;
      // Mostly, the test at the horizon goes on in the state before it.
      const last = recorded.at(-1)?.state ?? state;
      const atHorizon = this.#chance() < 0.6 ? last : this.#oneOf(talliedStates);
      const next = { ...known.states, horizonSeconds, state: atHorizon };
      const log = append(known, recorded, next);
      known = { states: next, ...(log !== undefined && { log }) };
      model.record(recorded, { atSeconds: horizonSeconds, state: next.state });
      this.#truth.push(...recorded);
      if (this.#chance() < 0.05) known = restored(known);
      model.requireSame(known);
    }
    this.#requireStates(known);
    return known.log;
  }

  #recorded({ states }: KnownStates, longest: number, isFlapping: boolean): StateSpan[] {
    const recorded: StateSpan[] = [];
    let fromSeconds = states.horizonSeconds;
    for (let left = this.#length(3); left > 0; left--) {
      // Most lists and reports agree with the test at the horizon.
      const isAgreed = recorded.length === 0 && this.#chance() < 0.8;
      const state = isAgreed ? states.state : this.#oneOf(talliedStates);
      if (state === recorded.at(-1)?.state) continue;
      const toSeconds = fromSeconds + (isFlapping ? 60 : 0) + this.#length(longest);
      recorded.push({ state, fromSeconds, toSeconds });
      fromSeconds = toSeconds;
    }
    return recorded;
  }

  /** The report of the past ends where the known states begin, or lags and leaves a tail. */
  #readPast(known: KnownStates, endSeconds: number, model: CountingModel): KnownStates {
    const past: StateSpan[] = [];
    const beginSeconds = known.states.horizonSeconds - historySeconds;
    for (let at = beginSeconds; at < endSeconds; ) {
      const toSeconds = Math.min(endSeconds, at + this.#length(20 * 86_400));
      const state = this.#oneOf(talliedStates);
      const last = past.at(-1);
      if (last?.state === state) past[past.length - 1] = { ...last, toSeconds };
      else past.push({ state, fromSeconds: at, toSeconds });
      at = toSeconds;
    }
    this.#truth = [...past, ...this.#truth];
    const { log } = known;
    if (log === undefined) throw new Error('the past is missing, but the log is, too');
    const horizon = known.states.horizonSeconds;
    const last = past.at(-1);
    let next = withPast(log, past, horizon - historySeconds);
    if (this.#chance() < 0.5 && last !== undefined && last.toSeconds - last.fromSeconds > 1) {
      const cutSeconds = last.fromSeconds + this.#length(last.toSeconds - last.fromSeconds - 1);
      const read = [...past.slice(0, -1), { ...last, toSeconds: cutSeconds }];
      const unread = { fromSeconds: cutSeconds, toSeconds: endSeconds };
      const cut = withPast(
        log,
        [...read, { state: 'unknown', ...unread }],
        horizon - historySeconds,
      );
      const tail = {
        ...unread,
        askFromSeconds: endSeconds,
        ...(isBeginning(log, endSeconds) && { isEndListed: true as const }),
      };
      next = withTail({ ...known, log: { ...cut, tail } }, [{ ...last, fromSeconds: cutSeconds }]);
    }
    const isDown = last?.state === 'down';
    const isBegun = isDown && last.fromSeconds > beginSeconds;
    model.began(isDown ? (isBegun ? last.fromSeconds : undefined) : endSeconds);
    return { ...known, log: next };
  }

  /** The states that the log has are the recorded ones, and nothing of 35 days is missing. */
  #requireStates({ states: { horizonSeconds }, log }: KnownStates): void {
    if (log === undefined) return;
    const { hours, changes } = log;
    const begin = hours[0]?.fromSeconds ?? changes.times[0] ?? horizonSeconds;
    const first = this.#truth[0]?.fromSeconds ?? horizonSeconds;
    if (begin > Math.max(first, horizonSeconds - historySeconds))
      throw new Error('states are lost');
    const found = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
    for (const { seconds } of hours) {
      for (const state of talliedStates) found[state] += seconds[state];
    }
    for (const span of spansOf(changes, horizonSeconds)) {
      found[span.state] += span.toSeconds - span.fromSeconds;
    }
    const wanted = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
    // An item that is up from first sight on has been so for 35 days.
    if (first > begin) wanted[changes.states[0] ?? 'up'] += first - begin;
    for (const { state, fromSeconds, toSeconds } of this.#truth) {
      wanted[state] += Math.max(0, toSeconds - Math.max(fromSeconds, begin));
    }
    if (isDeepStrictEqual(found, wanted)) return;
    throw new Error(`states ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  }

  #chance(): number {
    return hashUnit(this.#life.seed, ++this.#draws);
  }

  #oneOf<T>(all: readonly [T, ...T[]] | readonly T[]): T {
    return all[Math.floor(this.#chance() * all.length)] ?? (all[0] as T);
  }

  /** From 1 to the longest; most are short. */
  #length(longest: number): number {
    return 1 + Math.floor(this.#chance() ** 3 * longest);
  }
}

function openSince(lastDownStartAtSeconds: number | undefined): StateLog {
  const entry = lastDownStartAtSeconds === undefined ? {} : { lastDownStartAtSeconds };
  const log = logAtFirstSight({ ...entry, lastErrorAtSeconds: startSeconds }, 'down', startSeconds);
  if (log === undefined) throw new Error('a check that is down has no log');
  return log;
}

function restored(known: KnownStates): KnownStates {
  if (known.log === undefined) return known;
  const text = JSON.stringify(logBody({ log: known.log, version: 1 }));
  return { ...known, log: readLog(JSON.parse(text)).log };
}
