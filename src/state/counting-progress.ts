import { type Check, isTested, isUnconfirmed } from '../domain/check.ts';
import { type TalliedState, talliedStates } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';
import { countersOf, type KnownStates, spansSince } from '../slo/state-log.ts';
import { clip } from '../tally/maintenance-tally.ts';
import { noSeconds } from '../tally/state-tally.ts';

/** The time up to which checks are counted. */
export interface CountingReach {
  /** The earliest horizon of a check that is tested; absent when none is. UNIX seconds. */
  readonly countedUntilSeconds?: number;
  /** In seconds: the longest time since a test was due that is not counted yet. */
  readonly lagSeconds: number;
  /**
   * Counters stand still until then, because the service's clock was ahead: a check is counted up
   * to this time, which has not come yet. UNIX seconds; absent otherwise.
   */
  readonly waitsUntilSeconds?: number;
}

/** A horizon ahead of the service's time by this much is that of a clock that was wrong. */
const aheadSeconds = 120;

const defaultResolutionSeconds = 60;

interface CountedRecord {
  readonly entry: Check;
  readonly totals: KnownStates;
}

/** Horizons in UNIX seconds; Infinity without checks. */
interface Horizons {
  readonly earliestSeconds: number;
  /** Only of checks that are being tested. */
  readonly earliestTestedSeconds: number;
  /** Minus infinity without a check that is tested. */
  readonly latestTestedSeconds: number;
  /** When the earliest next test was due, of tested checks without an unconfirmed failure. */
  readonly earliestDueSeconds: number;
}

/** The horizons of all checks. All checks are read only after an entry or a horizon has changed. */
export class CountingProgress {
  readonly #records: () => Iterable<CountedRecord>;
  readonly late = new LateSeconds();
  #horizons: Horizons | undefined;

  constructor(records: () => Iterable<CountedRecord>) {
    this.#records = records;
  }

  /** A check was added or removed, or its entry has changed. */
  changed(): void {
    this.#horizons = undefined;
  }

  /** Call this when totals `after` replace `before`. Adds the seconds counted late. */
  counted(
    before: KnownStates,
    after: KnownStates,
    nowSeconds: number,
    intervalSeconds: number | undefined,
  ): void {
    if (after.states === before.states) return;
    this.late.counted(before, after, nowSeconds, intervalSeconds);
    this.#horizons = undefined;
  }

  /** All earlier time is counted for every check. UNIX seconds; `nowSeconds` without checks. */
  earliestHorizonSeconds(nowSeconds: number): number {
    return Math.min(nowSeconds, this.#known.earliestSeconds);
  }

  reach(nowSeconds: number): CountingReach {
    const { earliestTestedSeconds, latestTestedSeconds, earliestDueSeconds } = this.#known;
    return {
      lagSeconds: Math.max(0, nowSeconds - earliestDueSeconds),
      ...(Number.isFinite(earliestTestedSeconds) && { countedUntilSeconds: earliestTestedSeconds }),
      ...(latestTestedSeconds > nowSeconds + aheadSeconds && {
        waitsUntilSeconds: latestTestedSeconds,
      }),
    };
  }

  get #known(): Horizons {
    this.#horizons ??= horizonsOf(this.#records());
    return this.#horizons;
  }
}

function horizonsOf(records: Iterable<CountedRecord>): Horizons {
  let earliestSeconds = Number.POSITIVE_INFINITY;
  let earliestTestedSeconds = Number.POSITIVE_INFINITY;
  let latestTestedSeconds = Number.NEGATIVE_INFINITY;
  let earliestDueSeconds = Number.POSITIVE_INFINITY;
  for (const { entry, totals } of records) {
    const { status, resolutionSeconds = defaultResolutionSeconds } = entry;
    const { horizonSeconds } = totals.states;
    earliestSeconds = Math.min(earliestSeconds, horizonSeconds);
    if (!isTested(status) || entry.lastTestAtSeconds === undefined) continue;
    earliestTestedSeconds = Math.min(earliestTestedSeconds, horizonSeconds);
    latestTestedSeconds = Math.max(latestTestedSeconds, horizonSeconds);
    // An unconfirmed status waits for the next test.
    if (isUnconfirmed(status)) continue;
    earliestDueSeconds = Math.min(earliestDueSeconds, horizonSeconds + resolutionSeconds);
  }
  return { earliestSeconds, earliestTestedSeconds, latestTestedSeconds, earliestDueSeconds };
}

/** Late: after twice the planned interval, or twice the time between tests, if longer. */
class LateSeconds {
  readonly #seconds: { [S in TalliedState]: number } = { ...noSeconds };

  get seconds(): SecondsByState {
    return this.#seconds;
  }

  /** Adds the late seconds of totals `after`, which replace `before`. */
  counted(before: KnownStates, after: KnownStates, nowSeconds: number, intervalSeconds = 0): void {
    const { resolutionSeconds = defaultResolutionSeconds } = after.states;
    const inTimeFrom = nowSeconds - 2 * Math.max(intervalSeconds, resolutionSeconds);
    const { horizonSeconds: from } = before.states;
    const { horizonSeconds: to } = after.states;
    if (to <= from || from >= inTimeFrom) return;
    const [known, next] = [countersOf(before).seconds, countersOf(after).seconds];
    for (const state of talliedStates) {
      const counted = next[state] - known[state];
      this.#seconds[state] += Math.max(0, counted - secondsIn(after, state, inTimeFrom, to));
    }
  }
}

function secondsIn(tally: KnownStates, state: TalliedState, from: number, to: number): number {
  const spans = spansSince(tally, from).filter((span) => span.state === state);
  return clip(spans, from, to).reduce((sum, span) => sum + span.toSeconds - span.fromSeconds, 0);
}
