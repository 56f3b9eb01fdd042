import type { MonitoredState, StateSpan, TalliedState } from '../domain/interval.ts';
import type { Horizon } from './advance.ts';
import type { AwaitedReport } from './awaited-report.ts';
import { longestLagSeconds } from './list-times.ts';
import type { StateTally } from './state-tally.ts';

export const reportPatience = {
  /** A report that is still incomplete after this time is given up. */
  givenUpAfterSeconds: 86_400,
  /** A report is given up only after it was requested for at least this time. */
  leastAskingSeconds: 3_600,
};
/** A report without an outage at a failed test is trusted after a second one, this much later. */
export const secondOpinionSeconds = 300;

export interface ReportTimes {
  /** UNIX time of the service when the report was asked for. */
  readonly requestedAtSeconds: number;
  /** UNIX time of the service when this process first asked for it. */
  readonly firstRequestedAtSeconds: number;
  /** Per failed test: when a report first reached it without an outage. UNIX seconds. */
  readonly doubted: ReadonlyMap<number, number>;
}

export interface ReportedHorizon {
  /** The horizon up to which the report can be recorded; absent if it must be requested again. */
  readonly horizon?: Horizon;
  /** The complete report never arrived: time that it does not cover counts as unmonitored. */
  readonly isGivenUp: boolean;
  /** Failed tests that the report reaches but shows in no outage. The report may lack an outage. */
  readonly unexplainedErrors: readonly number[];
  /** Seconds from the end of the report to the first awaited horizon; 0 if a horizon is reached. */
  readonly missingSeconds: number;
}

/**
 * Finds the last awaited horizon up to which an outage report can be recorded. A report proves time
 * only up to the end of its last entry, and only if it agrees with the lists: it may be older than
 * they are, or lack an outage. A report with states that could not be read, which are not among
 * `states`, proves nothing; it can only be given up.
 */
export function reportedHorizon(
  tally: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  awaited: AwaitedReport,
  times: ReportTimes,
  isReadable = true,
): ReportedHorizon {
  const endSeconds = states.reduce((end, { toSeconds }) => Math.max(end, toSeconds), 0);
  const unexplainedErrors = unexplainedOf(states, endSeconds, awaited);
  const begins = isReadable && agreesAtBeginning(tally, states, awaited, times);
  const proven = (begins ? awaited.horizons : []).toReversed().flatMap((horizon) => {
    const reached = horizonReached(tally, horizon, endSeconds, times);
    if (reached === undefined || !agrees(states, reached, awaited)) return [];
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

/** The horizon, or for a paused check an earlier proven one; undefined if not reached. */
function horizonReached(
  tally: StateTally,
  horizon: Horizon,
  endSeconds: number,
  { requestedAtSeconds }: ReportTimes,
): Horizon | undefined {
  if (endSeconds >= horizon.atSeconds) return horizon;
  const { state, testedAtSeconds = tally.horizonSeconds } = horizon;
  // The report of a paused check ends where the pause begins, unless the report lags.
  if (state !== 'unmonitored') return undefined;
  const knownSeconds = Math.min(horizon.atSeconds, requestedAtSeconds - longestLagSeconds);
  const hasLastTest = Math.max(endSeconds, tally.horizonSeconds) >= testedAtSeconds;
  if (!hasLastTest || knownSeconds <= tally.horizonSeconds) return undefined;
  if (knownSeconds < endSeconds || knownSeconds < testedAtSeconds) return undefined;
  return { ...horizon, atSeconds: knownSeconds };
}

/**
 * Whether the report has the state of the test at the tally's horizon. A list may have shown this
 * test before its outcome: the report is right if a later list has the outage too, and once neither
 * can lag so far.
 */
function agreesAtBeginning(
  { state, horizonSeconds }: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  { outages }: AwaitedReport,
  { requestedAtSeconds }: ReportTimes,
): boolean {
  if (isShown(states, horizonSeconds, state)) return true;
  if (requestedAtSeconds - horizonSeconds >= longestLagSeconds) return true;
  return state === 'up' && outages.some(({ fromSeconds }) => fromSeconds <= horizonSeconds);
}

/** Whether the report has all listed outages, and the state of the test at the horizon. */
function agrees(
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
  return isShown(states, atSeconds, state);
}

/** Only a successful test or a confirmed failure is certain. A report may end at the test. */
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

/** A report that ends before a failed test does not cover it. */
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

/** Whether the report is trusted although it lacks an outage at the failed test. */
function isBelieved(
  error: number,
  { atSeconds }: Horizon,
  { requestedAtSeconds, doubted }: ReportTimes,
): boolean {
  return (
    error >= atSeconds ||
    requestedAtSeconds - error >= longestLagSeconds ||
    requestedAtSeconds - (doubted.get(error) ?? requestedAtSeconds) >= secondOpinionSeconds
  );
}

/** The last horizon whose report is given up, because it was awaited too long. */
function lateHorizon(
  { horizons }: AwaitedReport,
  { requestedAtSeconds, firstRequestedAtSeconds }: ReportTimes,
): Horizon | undefined {
  const { givenUpAfterSeconds, leastAskingSeconds } = reportPatience;
  if (requestedAtSeconds - firstRequestedAtSeconds < leastAskingSeconds) return undefined;
  const late = (atSeconds: number) => requestedAtSeconds - atSeconds >= givenUpAfterSeconds;
  return horizons.findLast(({ atSeconds, testedAtSeconds = atSeconds }) => late(testedAtSeconds));
}
