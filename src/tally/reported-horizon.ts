import type { MonitoredState, StateSpan, TalliedState } from '../domain/interval.ts';
import type { Horizon } from './advance.ts';
import type { AwaitedReport } from './awaited-report.ts';
import { longestLagSeconds } from './list-times.ts';
import type { StateTally } from './state-tally.ts';

/** What a report still lacks after a day is not going to come. */
const givenUpAfterSeconds = 86_400;
/** Nothing is given up before the service was asked for so long. */
const leastAskingSeconds = 3_600;
/** A report without the outage that a failed test may belong to is believed when another one, so much later, has none either. */
export const secondOpinionSeconds = 300;

export interface ReportTimes {
  /** UNIX time of the service when the report was asked for. */
  readonly askedAtSeconds: number;
  /** UNIX time of the service when this process first asked for it. */
  readonly firstAskedAtSeconds: number;
  /** By failed test: UNIX time of the first report that reaches it and has it in no outage. */
  readonly doubted: ReadonlyMap<number, number>;
}

export interface ReportedHorizon {
  /** Up to where the report can be recorded; absent while it has to be asked for again. */
  readonly horizon?: Horizon;
  /** The report was waited for in vain: what it does not cover is unmonitored. */
  readonly isGivenUp: boolean;
  /** The failed tests that the report reaches and has in no outage; it may lack one. */
  readonly unexplainedErrors: readonly number[];
  /** How far the report ends before the first horizon that it could not settle, in seconds. */
  readonly missingSeconds: number;
}

/**
 * Up to which of the awaited horizons an outage report is recorded. It proves time up to the end of its last
 * entry, and only where it agrees with the lists: it may be older than they are, or lack an outage.
 */
export function reportedHorizon(
  tally: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  awaited: AwaitedReport,
  times: ReportTimes,
): ReportedHorizon {
  const endSeconds = states.reduce((end, { toSeconds }) => Math.max(end, toSeconds), 0);
  const unexplainedErrors = unexplainedOf(states, endSeconds, awaited);
  const proven = awaited.horizons.toReversed().flatMap((horizon) => {
    const reached = horizonReached(tally, horizon, endSeconds, times);
    if (reached === undefined || !agrees(tally, states, reached, awaited)) return [];
    return unexplainedErrors.every((error) => isBelieved(error, reached, times)) ? reached : [];
  });
  const [horizon] = proven;
  if (horizon !== undefined)
    return { horizon, isGivenUp: false, unexplainedErrors, missingSeconds: 0 };
  const missingSeconds = Math.max(0, (awaited.horizons[0]?.atSeconds ?? 0) - endSeconds);
  const late = lateHorizon(awaited, times);
  if (late === undefined) return { isGivenUp: false, unexplainedErrors, missingSeconds };
  return { horizon: late, isGivenUp: true, unexplainedErrors, missingSeconds };
}

/** The horizon, as far as the report reaches it. */
function horizonReached(
  tally: StateTally,
  horizon: Horizon,
  endSeconds: number,
  { askedAtSeconds }: ReportTimes,
): Horizon | undefined {
  if (endSeconds >= horizon.atSeconds) return horizon;
  const { state, testedAtSeconds = tally.horizonSeconds } = horizon;
  // The report of a paused check ends with the pause, unless it lags.
  if (state !== 'unmonitored') return undefined;
  const knownSeconds = Math.min(horizon.atSeconds, askedAtSeconds - longestLagSeconds);
  const hasLastTest = Math.max(endSeconds, tally.horizonSeconds) >= testedAtSeconds;
  if (!hasLastTest || knownSeconds <= tally.horizonSeconds) return undefined;
  if (knownSeconds < endSeconds || knownSeconds < testedAtSeconds) return undefined;
  return { ...horizon, atSeconds: knownSeconds };
}

/** The report shows every outage that lists have shown before the horizon, and the states of the tests at both ends. */
function agrees(
  tally: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  { atSeconds, state }: Horizon,
  { outages }: AwaitedReport,
): boolean {
  const down = states.filter((span) => span.state === 'down');
  const lacksOutage = outages.some(
    ({ fromSeconds, toSeconds }) =>
      fromSeconds < atSeconds &&
      !down.some((span) => span.fromSeconds < toSeconds && span.toSeconds > fromSeconds),
  );
  if (lacksOutage) return false;
  return isShown(states, tally.horizonSeconds, tally.state) && isShown(states, atSeconds, state);
}

/** Only a good or a confirmed bad test is certain; a report may end with the test. */
function isShown(
  states: readonly StateSpan<MonitoredState>[],
  atSeconds: number,
  state: TalliedState,
): boolean {
  if (state !== 'up' && state !== 'down') return true;
  const shown = states.find(
    ({ fromSeconds, toSeconds }) => fromSeconds <= atSeconds && atSeconds < toSeconds,
  );
  return shown === undefined || shown.state === state;
}

/** A report that ends before a failed test says nothing about it. */
function unexplainedOf(
  states: readonly StateSpan<MonitoredState>[],
  endSeconds: number,
  { doubtfulErrors }: AwaitedReport,
): number[] {
  const down = states.filter(({ state }) => state === 'down');
  return doubtfulErrors.filter(
    (error) =>
      error < endSeconds &&
      !down.some(({ fromSeconds, toSeconds }) => fromSeconds <= error && error < toSeconds),
  );
}

/** Returns whether the report is believed up to the horizon, although the failed test is in none of its outages. */
function isBelieved(
  error: number,
  { atSeconds }: Horizon,
  { askedAtSeconds, doubted }: ReportTimes,
): boolean {
  return (
    error >= atSeconds ||
    askedAtSeconds - error >= longestLagSeconds ||
    askedAtSeconds - (doubted.get(error) ?? askedAtSeconds) >= secondOpinionSeconds
  );
}

/** The last horizon for which the report was waited for long enough. */
function lateHorizon(
  { horizons }: AwaitedReport,
  { askedAtSeconds, firstAskedAtSeconds }: ReportTimes,
): Horizon | undefined {
  if (askedAtSeconds - firstAskedAtSeconds < leastAskingSeconds) return undefined;
  const late = (atSeconds: number) => askedAtSeconds - atSeconds >= givenUpAfterSeconds;
  return horizons.findLast(({ atSeconds, testedAtSeconds = atSeconds }) => late(testedAtSeconds));
}
