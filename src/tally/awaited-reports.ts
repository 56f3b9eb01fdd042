import type { Check } from '../domain/check.ts';
import type { MonitoredState, StateSpan, TalliedState, TimeRange } from '../domain/interval.ts';
import type { Horizon } from './advance.ts';
import { applyReport, type StateUpdate } from './apply-report.ts';
import { isAhead, type ListTimes, longestLagSeconds } from './list-times.ts';
import { earliestBeginning, lackedFailures, withoutListedPauses } from './listed-facts.ts';
import { type Settlement, settle } from './settle.ts';
import { passedFor } from './start-tally.ts';
import type { ListedFact, StateTally } from './state-tally.ts';

/** A report that stays incomplete is given up after this time, an hour of which was spent asking. */
export const reportPatience = { givenUpAfterSeconds: 86_400, leastAskingSeconds: 3_600 };
const shortestDelaySeconds = 60;
const longestDelaySeconds = 1_800;

/** A test that a list has shown, and its outcome; undefined while the check was unknown. */
interface ListedTest {
  readonly atSeconds: number;
  readonly state: 'up' | 'down' | undefined;
}

/** An outage report to request. Times are UNIX seconds of the service's clock. */
export interface Question extends TimeRange {
  readonly id: number;
  readonly requestedAtSeconds: number;
  /** When this process first asked for the report. */
  readonly firstRequestedAtSeconds: number;
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

interface Pending {
  test: ListedTest;
  /** The number of reports in a row that counted nothing. */
  attempts: number;
  /** The report is not requested before this time; monotonic milliseconds. */
  askFrom: number;
  firstRequestedAtSeconds?: number;
  /** The hour of asking has begun again since something was counted. */
  isAskedAgain?: boolean;
  /** How far the end of the last report was behind its request. */
  lagSeconds: number;
}

/**
 * The checks whose time only an outage report can settle: when it is requested, and how much of it
 * is counted. Lists and reports may lag behind each other, by up to 35 minutes (`longestLagSeconds`).
 *
 * | Case | Rule |
 * | --- | --- |
 * | How far a report proves time | To the end of its last entry, but not beyond the last test that a list had shown before the request, with its outcome: a later failure may not be confirmed yet. What was older than the longest lag when the newest list was read is final, unless a failure waits for its confirmation. |
 * | After that | The newest list decides at once, as if it had just been read (`settle`). What needs a report in it waits. |
 * | The test at the horizon | If a list has shown it up or down, the report shows the same state, or it shows an outage there that the newest list has too. After an outage that only a report has shown, no failed test is listed from there on. |
 * | A listed outage, or a failed test of an outage without a listed start | The report shows a second of it as down. Until then, only the time before it is counted, or up to the end of the outage before it. An outage that began before the horizon is not awaited, because its listed end may be later than its real one. |
 * | A listed pause | Time that the report shows as unknown from the last test before the pause on, at least until the list was read, is unmonitored, up to the first test that a list shows as unknown. |
 * | A failure that the report still lacks | 35 minutes after it, the report is right. As long as the list shows the check down, it waits for a day. |
 * | The check is paused | The end of a report is not the pause. Up to the last test as above; from there to 35 minutes before the request, time without an entry is unmonitored. |
 * | Tests stood still, or the resolution changed | From one list to the next, `settle` decides that a report is needed up to the newer one. |
 * | The next request | After the lag of the last report, at least a minute; after twice as long each time, up to half an hour, while reports have nothing to count. |
 * | States that cannot be read, or a report that stays behind | Nothing is counted. After a day, an hour of which was spent asking, what the report has is counted. The rest is unknown if no list has shown an outcome, else unmonitored. The hour begins again, once, when a list shows an outcome after an unknown state: only then a report can have that state. |
 *
 * The limit: unknown or unmonitored time between two lists that neither shows is counted as the state
 * around it.
 */
export class AwaitedReports {
  readonly #pending = new Map<number, Pending>();
  #listTimes: ListTimes | undefined;
  /** Maintenance is unknown, so nothing may be counted now. Evidence is still collected. */
  isHeld = false;

  /** A list was read. Call this before `listed`. */
  read(listTimes: ListTimes): void {
    this.#listTimes = listTimes;
  }

  /** A list was settled for a check. `now`: monotonic milliseconds. */
  listed(check: Check, { tally, recorded, report }: Settlement, now: number): void {
    // Nothing is counted by a list whose tests are ahead of the clock, so no fact of it is known.
    const { receivedAtSeconds = Number.POSITIVE_INFINITY } = this.#listTimes ?? {};
    if (isAhead(check.lastTestAtSeconds ?? 0, receivedAtSeconds)) return;
    const known = this.#pending.get(check.id);
    if (known !== undefined) {
      const { test, lagSeconds } = known;
      known.test = testOf(check, test);
      // What a report could not show is over.
      if (test.state === undefined && known.test.state !== undefined) {
        const delay = Math.max(shortestDelaySeconds, lagSeconds);
        known.askFrom = Math.min(known.askFrom, now + delay * 1000);
        if (!known.isAskedAgain) delete known.firstRequestedAtSeconds;
        known.isAskedAgain = true;
      }
    }
    if (report === undefined) {
      if (recorded.length > 0) this.#pending.delete(check.id);
      return;
    }
    // The report of a pause is not complete before the longest lag is over.
    const wait = report.state === 'unmonitored' ? longestLagSeconds * 1000 : 0;
    const atHorizon = { atSeconds: tally.horizonSeconds, state: undefined };
    const test = testOf(check, atHorizon);
    if (known === undefined) {
      this.#pending.set(check.id, { test, attempts: 0, askFrom: now + wait, lagSeconds: 0 });
    } else if (known.firstRequestedAtSeconds === undefined) {
      known.askFrom = Math.min(known.askFrom, now + wait);
    }
  }

  /** The checks whose report must be requested now; `now` is in monotonic milliseconds. */
  due(now: number): number[] {
    if (this.isHeld) return [];
    return [...this.#pending].flatMap(([id, { askFrom }]) => (askFrom <= now ? id : []));
  }

  /** The report to request for a check; undefined if none is awaited. */
  ask(id: number, { horizonSeconds }: StateTally, nowSeconds: number): Question | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined || this.isHeld) return undefined;
    pending.firstRequestedAtSeconds ??= nowSeconds;
    const { firstRequestedAtSeconds, test } = pending;
    return {
      id,
      fromSeconds: horizonSeconds,
      toSeconds: Math.max(nowSeconds, test.atSeconds, horizonSeconds + 1),
      requestedAtSeconds: nowSeconds,
      firstRequestedAtSeconds,
      test,
    };
  }

  /**
   * Counts what a report proves, and then what the newest list proves. `tally` and `check` are the
   * present ones.
   */
  apply(question: Question, report: OutageReport, tally: StateTally, check: Check): ReportUpdate {
    if (this.isHeld || !this.#pending.has(question.id)) {
      return { tally, recorded: [], contradicted: [] };
    }
    const reported = countReport(question, report, tally, check, this.#listTimes);
    if (this.#listTimes === undefined) return reported;
    const listed = settle(reported.tally, check, this.#listTimes);
    const isSettled =
      listed.report === undefined && (check.lastTestAtSeconds ?? 0) <= listed.tally.horizonSeconds;
    if (isSettled) this.#pending.delete(question.id);
    const recorded = [...reported.recorded, ...listed.recorded];
    return { ...reported, tally: listed.tally, recorded };
  }

  /** After `apply`, plans the next request. `now`: monotonic milliseconds. */
  answered(question: Question, { items }: OutageReport, isCounted: boolean, now: number): void {
    const pending = this.#pending.get(question.id);
    if (pending === undefined) return;
    const end = endOf(items);
    const isLonger = end > question.fromSeconds;
    if (isLonger) pending.lagSeconds = Math.max(0, question.requestedAtSeconds - end);
    pending.attempts = isCounted && isLonger ? 0 : pending.attempts + 1;
    if (isCounted) pending.isAskedAgain = false;
    const backoff = shortestDelaySeconds * 2 ** Math.max(0, pending.attempts - 1);
    const delay = Math.min(longestDelaySeconds, Math.max(backoff, pending.lagSeconds));
    pending.askFrom = now + delay * 1000;
  }

  /** The checks for which a report is awaited. */
  ids(): readonly number[] {
    return [...this.#pending.keys()];
  }

  delete(id: number): void {
    this.#pending.delete(id);
  }
}

/** The last test whose outcome a list shows. `unconfirmed_down` and a pause show none. */
function testOf(check: Check, before: ListedTest): ListedTest {
  const { status, lastTestAtSeconds: atSeconds } = check;
  if (atSeconds === undefined || atSeconds < before.atSeconds) return before;
  if (status === 'up' || status === 'down') return { atSeconds, state: status };
  return status === 'unknown' ? { atSeconds, state: undefined } : before;
}

function endOf(items: readonly StateSpan[]): number {
  return items.reduce((end, { toSeconds }) => Math.max(end, toSeconds), 0);
}

function countReport(
  question: Question,
  { items, isReadable }: OutageReport,
  tally: StateTally,
  check: Check,
  listTimes: ListTimes | undefined,
): ReportUpdate {
  const { requestedAtSeconds, firstRequestedAtSeconds } = question;
  const states = withoutListedPauses(tally, items);
  const finalSeconds = requestedAtSeconds - longestLagSeconds;
  const lacked = lackedFailures(tally, states);
  const isFinal = ({ toSeconds }: ListedFact) => toSeconds <= finalSeconds;
  // An outage that is not over has certainly begun.
  const ongoing = check.status === 'down' ? lacked.at(-1) : undefined;
  const isOngoing = (fact: ListedFact) =>
    fact === ongoing && fact.fromSeconds >= (check.lastDownStartAtSeconds ?? 0);
  const missing = lacked.find((fact) => !isFinal(fact) || isOngoing(fact));
  let horizon = tally.horizonSeconds;
  if (isReadable && agreesAtHorizon(tally, states, check, finalSeconds)) {
    // What is counted is proven, also if the report has nothing after it.
    const endSeconds = Math.max(endOf(items), tally.horizonSeconds);
    const leastSeconds = missing && earliestBeginning(missing, states, tally.horizonSeconds);
    horizon = provenUntil(question, endSeconds, check, finalSeconds, leastSeconds, listTimes);
  }
  let givenUp: TimeRange | undefined;
  let counted = states;
  const { givenUpAfterSeconds, leastAskingSeconds } = reportPatience;
  const listedSeconds = check.status === 'paused' ? requestedAtSeconds : question.test.atSeconds;
  const lateSeconds = Math.min(requestedAtSeconds - givenUpAfterSeconds, listedSeconds);
  const askedSeconds = requestedAtSeconds - firstRequestedAtSeconds;
  if (lateSeconds > horizon && askedSeconds >= leastAskingSeconds) {
    const fromSeconds = Math.max(horizon, tally.horizonSeconds);
    horizon = lateSeconds;
    const hasNoOutcome = question.test.state === undefined && check.status !== 'paused';
    const isUnknown = hasNoOutcome || tally.state === 'unknown';
    const isUnknownOnly = (tally.facts ?? []).every(({ kind }) => kind === 'unknown');
    if (isReadable && isUnknown && isUnknownOnly) {
      counted = [...states, { state: 'unknown', fromSeconds, toSeconds: horizon }];
    } else givenUp = { fromSeconds, toSeconds: horizon };
  }
  // What follows an unknown test, or a time that was given up, is not the rest of a pause.
  const isUnknownTest = (tally.facts ?? []).some(
    ({ kind, fromSeconds }) => kind === 'unknown' && fromSeconds === horizon,
  );
  const rest = isUnknownTest || givenUp !== undefined ? 'unknown' : 'unmonitored';
  const update = applyReport(tally, counted, horizonAt(horizon, counted, question, check, rest));
  const until = update.tally.horizonSeconds;
  const contradicted = lacked.filter(
    ({ kind, fromSeconds }) => kind !== 'failed' && fromSeconds < until,
  );
  return { ...update, contradicted, ...(givenUp !== undefined && { givenUp }) };
}

/** The time up to which a report is counted. */
function provenUntil(
  { test }: Question,
  endSeconds: number,
  check: Check,
  finalSeconds: number,
  leastSeconds: number | undefined,
  listTimes: ListTimes | undefined,
): number {
  const { status, lastTestAtSeconds: lastTest = 0 } = check;
  const least = leastSeconds ?? Number.POSITIVE_INFINITY;
  // A failure that the next test confirms begins with the failed test, however long ago that was;
  // what failed after the newest list may wait for its confirmation, too.
  const isUnconfirmed = status === 'unconfirmed_down';
  const shownSeconds = (listTimes?.receivedAtSeconds ?? 0) - longestLagSeconds;
  const settledSeconds = isUnconfirmed
    ? test.atSeconds
    : Math.max(test.atSeconds, Math.min(finalSeconds, shownSeconds));
  if (status !== 'paused') return Math.min(endSeconds, settledSeconds, least);
  const testedUntil = Math.min(endSeconds, settledSeconds, lastTest, least);
  if (testedUntil < lastTest || finalSeconds <= lastTest || least < finalSeconds) {
    return testedUntil;
  }
  const passed = listTimes === undefined ? finalSeconds : passedFor(check, listTimes);
  return Math.min(finalSeconds, passed);
}

/**
 * Whether the report has the state of the test at the horizon. A list may have shown this test
 * before its outcome: the report is right if the newest list has the outage too.
 */
function agreesAtHorizon(
  { state, horizonSeconds, isReported }: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  check: Check,
  finalSeconds: number,
): boolean {
  const shown = stateFrom(states, horizonSeconds);
  if (shown === undefined || horizonSeconds <= finalSeconds) return true;
  const isListedDown = isInLastOutage(check, horizonSeconds);
  const isListed = isListedDown && check.lastDownStartAtSeconds !== undefined;
  if (shown === 'up' && isListed) return false;
  if (isReported && shown === 'up' && state === 'down') return isOverAt(horizonSeconds, check);
  if (isReported || shown === state || (state !== 'up' && state !== 'down')) return true;
  return shown === 'down' && isListedDown;
}

/** Whether the list shows that an outage does not last beyond this time: no later test failed. */
function isOverAt(atSeconds: number, check: Check): boolean {
  const { lastDownStartAtSeconds, lastTestAtSeconds = 0, lastErrorAtSeconds = 0 } = check;
  if (lastDownStartAtSeconds !== undefined) return true;
  return lastTestAtSeconds > atSeconds && lastErrorAtSeconds < atSeconds;
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
  const horizon = { atSeconds, ...(resolutionSeconds !== undefined && { resolutionSeconds }) };
  if (status === 'paused' && atSeconds > lastTest) {
    return { ...horizon, state: 'unmonitored', testedAtSeconds: lastTest };
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
