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
  /** UNIX time of the first report in which the doubtful error belongs to no outage; absent without one. */
  readonly doubtedAtSeconds?: number | undefined;
}

export interface ReportedHorizon {
  /** Up to where the report can be recorded; absent while it has to be asked for again. */
  readonly horizon?: Horizon;
  /** The report was waited for in vain: what it does not cover is unmonitored. */
  readonly isGivenUp: boolean;
  /** A failed test belongs to no outage of the report, which may lack it. */
  readonly isDoubtful: boolean;
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
  const isDoubtful = isUnexplained(states, awaited);
  const proven = awaited.horizons.toReversed().flatMap((horizon) => {
    const reached = horizonReached(tally, horizon, endSeconds, times);
    if (reached === undefined || !agrees(tally, states, reached, awaited)) return [];
    return isDoubtful && !isBelieved(awaited, reached, times) ? [] : reached;
  });
  const [horizon] = proven;
  if (horizon !== undefined) return { horizon, isGivenUp: false, isDoubtful, missingSeconds: 0 };
  const missingSeconds = Math.max(0, (awaited.horizons[0]?.atSeconds ?? 0) - endSeconds);
  const late = lateHorizon(awaited, times);
  if (late === undefined) return { isGivenUp: false, isDoubtful, missingSeconds };
  return { horizon: late, isGivenUp: true, isDoubtful, missingSeconds };
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

function isUnexplained(
  states: readonly StateSpan<MonitoredState>[],
  { doubtfulErrorAtSeconds: at }: AwaitedReport,
): boolean {
  if (at === undefined) return false;
  return !states.some(
    ({ state, fromSeconds, toSeconds }) => state === 'down' && fromSeconds <= at && at < toSeconds,
  );
}

function isBelieved(
  { doubtfulErrorAtSeconds: errorAt = 0 }: AwaitedReport,
  { atSeconds }: Horizon,
  { askedAtSeconds, doubtedAtSeconds = askedAtSeconds }: ReportTimes,
): boolean {
  return (
    errorAt >= atSeconds ||
    askedAtSeconds - errorAt >= longestLagSeconds ||
    askedAtSeconds - doubtedAtSeconds >= secondOpinionSeconds
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
