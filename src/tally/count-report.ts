import { type Check, isUnconfirmed } from '../domain/check.ts';
import type { MonitoredState, StateSpan, TalliedState, TimeRange } from '../domain/interval.ts';
import { present } from '../lib/present.ts';
import type { Horizon } from './advance.ts';
import { applyReport, type StateUpdate } from './apply-report.ts';
import {
  confirmedUntil,
  earliestBeginning,
  lackedFailures,
  withListedOutages,
} from './lacked-failures.ts';
import { type ListTimes, longestLagSeconds } from './list-times.ts';
import { isFailure } from './listed-facts.ts';
import { subtract } from './maintenance-tally.ts';
import {
  isInListedPause,
  lastOf,
  pausedBy,
  undecidedFrom,
  withoutListedPauses,
} from './reported-pauses.ts';
import { passedFor } from './start-tally.ts';
import type { ListedFact, StateTally } from './state-tally.ts';

/** A report that stays incomplete is given up after this time, an hour of which was spent asking. */
export const reportPatience = { givenUpAfterSeconds: 86_400, leastAskingSeconds: 3_600 };

/** A test that a list has shown, and its outcome; undefined while the check was unknown. */
export interface ListedTest {
  readonly atSeconds: number;
  readonly state: 'up' | 'down' | undefined;
}

/** An outage report to request. Times are UNIX seconds of the service's clock. */
export interface Question extends TimeRange {
  readonly requestedAtSeconds: number;
  /**
   * Since when this process has read reports that did not settle everything. It begins again with the
   * first outcome and, once, after a day without a report.
   */
  readonly askedSinceSeconds: number;
  /** The last test that a list has shown before the request. */
  readonly test: ListedTest;
}

export interface OutageReport {
  readonly items: readonly StateSpan<MonitoredState>[];
  /** False if some states of the report could not be read; they are not among `items`. */
  readonly isReadable: boolean;
}

/** What is counted after a report. */
export interface ReportUpdate extends StateUpdate {
  /** Failures that lists have shown and the report lacks, although it cannot lag so far. */
  readonly contradicted: readonly ListedFact[];
  /** Time that is counted although no report proves it, after a day. */
  readonly givenUp?: TimeRange;
}

/** When the last entry ends; 0 without entries. */
export function endOfReport(items: readonly StateSpan[]): number {
  return lastOf(items)?.toSeconds ?? 0;
}

/** Counts what a report proves, or what is given up. `tally` and `check` are the present ones. */
export function countReport(
  question: Question,
  { items, isReadable }: OutageReport,
  tally: StateTally,
  check: Check,
  listTimes: ListTimes | undefined,
): ReportUpdate {
  const states = withoutListedPauses(tally, items, isReadable);
  const finalSeconds = finalAt(question);
  const lacked = lackedFailures(tally, states);
  const isFinal = ({ toSeconds }: ListedFact) => toSeconds <= finalSeconds;
  // An outage that is not over has certainly begun.
  const ongoing = check.status === 'down' ? lacked.at(-1) : undefined;
  const isOngoing = (fact: ListedFact) =>
    fact === ongoing && fact.fromSeconds >= (check.lastDownStartAtSeconds ?? 0);
  const missing = lacked.find((fact) => !isFinal(fact) || isOngoing(fact));
  const provesNothing =
    !isReadable ||
    lacksHorizon(tally, items, check) ||
    !agreesAtHorizon(tally, states, check, finalSeconds);
  // What is counted is proven, also if the report has nothing after it.
  const undecided = undecidedFrom(tally, items, check, finalSeconds) ?? Number.POSITIVE_INFINITY;
  const confirmed = missing ? confirmedUntil(missing, items, tally, check) : endOfReport(items);
  const endSeconds = Math.max(confirmed, tally.horizonSeconds);
  const leastSeconds = missing && earliestBeginning(missing, states, tally.horizonSeconds);
  const provenSeconds = provesNothing
    ? tally.horizonSeconds
    : Math.min(undecided, provenUntil(question, endSeconds, tally, check, leastSeconds, listTimes));
  const late = lateRange(question, tally, check, provenSeconds);
  const unknown = late && isReadable ? unknownTime(late, question, tally, check) : undefined;
  const givenUp = unknown === undefined ? late : undefined;
  const horizon = late?.toSeconds ?? provenSeconds;
  const counted = givenUp
    ? withListedOutages(tally, states, check)
    : [...states, ...(unknown ? [{ state: 'unknown' as const, ...unknown }] : [])];
  const isOver = givenUp
    ? !isInListedPause(tally, horizon)
    : isPauseOver(tally, check, horizon, finalSeconds);
  const rest = isOver ? 'unknown' : 'unmonitored';
  const to = horizonAt(horizon, counted, question, check, rest);
  const update = applyReport(tally, counted, to);
  const until = update.tally.horizonSeconds;
  const contradicted = lacked.filter(
    ({ kind, fromSeconds }) => kind !== 'failed' && fromSeconds < until,
  );
  const unread = givenUp && unreadIn(givenUp, [...items, ...counted], tally, check);
  return present({ ...update, contradicted, givenUp, unread });
}

/** What is older than this time in seconds is final in the report, however far it lags. */
function finalAt({ requestedAtSeconds }: Question): number {
  return requestedAtSeconds - longestLagSeconds;
}

/**
 * Whether a pause has ended by this time of a report: a list shows an unknown test there, or the
 * report is final beyond it. A report may end up to a resolution before its request.
 */
function isPauseOver(
  { facts = [] }: StateTally,
  { resolutionSeconds = 0 }: Check,
  atSeconds: number,
  finalSeconds: number,
): boolean {
  const hasUnknownTest = facts.some(
    ({ kind, fromSeconds }) => kind === 'unknown' && fromSeconds === atSeconds,
  );
  return hasUnknownTest || atSeconds <= finalSeconds - resolutionSeconds;
}

/** The time after what is proven that no longer waits for a report; undefined if all does. */
function lateRange(
  { requestedAtSeconds, askedSinceSeconds, test }: Question,
  tally: StateTally,
  check: Check,
  provenSeconds: number,
): TimeRange | undefined {
  const { givenUpAfterSeconds, leastAskingSeconds } = reportPatience;
  const listedSeconds = check.status === 'paused' ? requestedAtSeconds : test.atSeconds;
  const toSeconds = Math.min(requestedAtSeconds - givenUpAfterSeconds, listedSeconds);
  const askedSeconds = requestedAtSeconds - askedSinceSeconds;
  if (toSeconds <= provenSeconds || askedSeconds < leastAskingSeconds) return undefined;
  return { fromSeconds: Math.max(provenSeconds, tally.horizonSeconds), toSeconds };
}

/**
 * The part of a time in which lists have shown only that the check was unknown, if they have shown
 * no outcome in it: from the first unknown test after a listed pause on.
 */
function unknownTime(
  { fromSeconds, toSeconds }: TimeRange,
  { test }: Question,
  { state, facts = [] }: StateTally,
  { status }: Check,
): TimeRange | undefined {
  const hasNoOutcome = test.state === undefined && status !== 'paused';
  const within = facts.filter(
    (fact) => fact.toSeconds > fromSeconds && fact.fromSeconds < toSeconds,
  );
  const tests = within.filter(({ kind }) => kind === 'unknown');
  const pauses = within.filter(({ kind }) => kind === 'paused');
  if (!(hasNoOutcome || state === 'unknown')) return undefined;
  if (within.some(isFailure)) return undefined;
  if (pauses.length === 0 && state !== 'unmonitored') return { fromSeconds, toSeconds };
  const paused = Math.max(...pauses.map((pause) => pause.fromSeconds));
  const begin = tests.find((one) => one.fromSeconds > paused)?.fromSeconds;
  if (begin === undefined || begin >= toSeconds) return undefined;
  return { fromSeconds: Math.max(begin, fromSeconds), toSeconds };
}

/**
 * Whether a report with nothing but downtime begins after the horizon, although a list has shown the
 * test there. The state of a test lasts until the next one or a pause, so such a report lacks states.
 */
function lacksHorizon(
  { state, horizonSeconds, isReported, facts = [] }: StateTally,
  items: readonly StateSpan<MonitoredState>[],
  check: Check,
): boolean {
  const isTestListed = (state === 'up' || state === 'down') && !isReported;
  const isPaused = check.status === 'paused' || facts.some(({ kind }) => kind === 'paused');
  if (!isTestListed || isPaused || items.length === 0) return false;
  return items.every((span) => span.state === 'down' && span.fromSeconds > horizonSeconds);
}

/** The time given up of which neither the report nor a listed pause shows the state. */
function unreadIn(
  givenUp: TimeRange,
  items: readonly StateSpan<MonitoredState>[],
  { facts = [] }: StateTally,
  { status, lastTestAtSeconds = Number.POSITIVE_INFINITY }: Check,
): readonly TimeRange[] {
  const pauses: TimeRange[] = facts.filter(({ kind }) => kind === 'paused');
  if (status === 'paused') {
    pauses.push({ fromSeconds: lastTestAtSeconds, toSeconds: Number.POSITIVE_INFINITY });
  }
  return subtract([givenUp], [...items, ...pauses]);
}

/**
 * When a report would be counted further than one that was requested for this question: of what no
 * list could show in an absence, only a report that cannot lag so far is complete. That is first so at
 * the end of a listed failure, then at the end of the absence. UNIX seconds; undefined without an
 * absence that may be incomplete.
 */
export function completeAtSeconds(
  { facts = [] }: StateTally,
  question: Question,
): number | undefined {
  const finalSeconds = finalAt(question);
  const later = facts.filter(({ toSeconds }) => toSeconds > finalSeconds);
  if (!later.some(({ kind }) => kind === 'absence')) return undefined;
  const ends = later.flatMap((fact) =>
    isFailure(fact) || fact.kind === 'absence' ? fact.toSeconds : [],
  );
  return Math.min(...ends) + longestLagSeconds;
}

/** The time up to which a report is counted. */
function provenUntil(
  question: Question,
  endSeconds: number,
  tally: StateTally,
  check: Check,
  leastSeconds: number | undefined,
  listTimes: ListTimes | undefined,
): number {
  const finalSeconds = finalAt(question);
  const { status, lastTestAtSeconds: lastTest = 0 } = check;
  const isIncomplete = completeAtSeconds(tally, question) !== undefined;
  const listedSeconds = isIncomplete ? finalSeconds : question.test.atSeconds;
  const least = leastSeconds ?? Number.POSITIVE_INFINITY;
  // A failure or a recovery that the next test confirms begins with the last test, however long ago
  // that was; what failed after the newest list may wait for its confirmation, too.
  const shownSeconds = (listTimes?.receivedAtSeconds ?? 0) - longestLagSeconds;
  const settledSeconds = isUnconfirmed(status)
    ? listedSeconds
    : Math.max(listedSeconds, Math.min(finalSeconds, shownSeconds));
  if (status !== 'paused') return Math.min(endSeconds, settledSeconds, least);
  const testedUntil = Math.min(endSeconds, settledSeconds, lastTest, least);
  if (testedUntil < lastTest || least < finalSeconds) return testedUntil;
  // A report of a time before the pause may end with the last test.
  if (finalSeconds < pausedBy(tally, check)) return testedUntil;
  const passed = listTimes === undefined ? finalSeconds : passedFor(check, listTimes);
  return Math.min(finalSeconds, passed);
}

/**
 * Whether the report has the state of the test at the horizon. A list may have shown this test
 * before its outcome: the report is right if the newest list has the outage too. An outage that the
 * list has from the horizon on is awaited in any case.
 */
function agreesAtHorizon(
  { state, horizonSeconds, isReported }: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  check: Check,
  finalSeconds: number,
): boolean {
  const shown = stateFrom(states, horizonSeconds);
  if (shown === undefined || horizonSeconds <= finalSeconds) return true;
  if (isReported && shown === 'up' && state === 'down') return isOverAt(horizonSeconds, check);
  if (isReported || shown === state || (state !== 'up' && state !== 'down')) return true;
  return shown === 'down' && isInLastOutage(check, horizonSeconds);
}

/**
 * Whether the list shows that an outage which was reported at this time does not last beyond it: it is
 * the last one and has ended, or the next test after the last failure was due by then.
 */
function isOverAt(atSeconds: number, check: Check): boolean {
  const { lastDownStartAtSeconds: start, lastDownEndAtSeconds: end } = check;
  const { lastTestAtSeconds: tested = 0, lastErrorAtSeconds: failed = 0 } = check;
  if (start !== undefined && start > atSeconds) return false;
  if (start !== undefined && end !== undefined && end >= start) return end <= atSeconds;
  return tested > atSeconds && failed + (check.resolutionSeconds ?? 0) <= atSeconds;
}

/**
 * Whether the list shows the outage at this time as its last one. A successful test never lies
 * before the listed end. Without a start, an outage that is open may have begun then.
 */
function isInLastOutage(check: Check, atSeconds: number): boolean {
  const { status, lastDownStartAtSeconds: start, lastDownEndAtSeconds: end } = check;
  if (start === undefined) return status === 'down';
  if (start > atSeconds) return false;
  return status === 'down' || (end !== undefined && end > atSeconds);
}

/**
 * The state at a new horizon: that of the listed test if it was then, else the report's, else `rest`.
 */
function horizonAt(
  atSeconds: number,
  states: readonly StateSpan<MonitoredState>[],
  { test }: Question,
  { status, lastTestAtSeconds: lastTest = 0, resolutionSeconds }: Check,
  rest: TalliedState,
): Horizon {
  const horizon = present({ atSeconds, resolutionSeconds });
  if (status === 'paused' && atSeconds > lastTest) {
    return { ...horizon, state: 'unmonitored' };
  }
  if (test.state !== undefined && atSeconds === test.atSeconds) {
    return { ...horizon, state: test.state };
  }
  const last = states.find(
    ({ fromSeconds, toSeconds }) => fromSeconds < atSeconds && atSeconds <= toSeconds,
  );
  return { ...horizon, state: last?.state ?? rest, isReported: true };
}

/** The state that begins or goes on at a time. */
function stateFrom(
  states: readonly StateSpan<MonitoredState>[],
  atSeconds: number,
): MonitoredState | undefined {
  return states.find(
    ({ fromSeconds, toSeconds }) => fromSeconds <= atSeconds && atSeconds < toSeconds,
  )?.state;
}
