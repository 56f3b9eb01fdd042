import { type Check, isTested } from '../domain/check.ts';
import { type Asking, askedOnce } from './asking.ts';
import {
  completeAtSeconds,
  countReport,
  endOfReport,
  type ListedTest,
  type OutageReport,
  type Question,
  type ReportUpdate,
} from './count-report.ts';
import { shownTest } from './list-evidence.ts';
import {
  isAhead,
  type ListTimes,
  longestLagSeconds,
  longestUnseen,
  mayHidePause,
} from './list-times.ts';
import { type Settlement, settle } from './settle.ts';
import type { StateTally } from './state-tally.ts';

const shortestDelaySeconds = 60;
const longestDelaySeconds = 1_800;
/**
 * After this time the list decides alone on an absence, so that counters do not stand still for
 * long in an account with many checks. It is shorter than UptimeExporterTallyLag waits.
 */
export const absencePatienceSeconds = 1_500;

/** How a report is awaited. */
export interface AwaitedReport {
  test: ListedTest;
  /** The number of reports in a row that counted nothing, or were refused. */
  attempts: number;
  /** The report is not requested before this time; monotonic milliseconds. */
  askFrom: number;
  /** Since when reports were read that did not settle everything. */
  asking?: Asking;
  /** It has begun again with an outcome since something was counted. */
  beganAgainWithOutcome?: boolean;
  /** How far the end of the last report was behind its request. */
  lagSeconds: number;
  /** Only a pause in an absence is looked for, up to here in UNIX seconds. */
  hidden?: { readonly untilSeconds: number; readonly since: number };
}

/** A report, and what it has come to. */
interface AppliedReport extends Pick<OutageReport, 'items'> {
  readonly isCounted: boolean;
  /** The present one. */
  readonly tally: StateTally;
}

/** The place of the report at a check. */
export interface AwaitingCheck {
  awaitedReport: AwaitedReport | undefined;
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
 * | A listed outage, or a failed test of an outage without a listed start | The report shows a second of it as down. Until then, only the time before it is counted, or up to the end of the outage before it; if the report ends up before that, to 4/3 resolutions before its end, because an earlier failure may not be confirmed yet. An outage that began before the horizon is not awaited, because its listed end may be later than its real one. |
 * | A listed pause | Time that the report shows as unknown from the last test before the pause on, at least until the list was read, is unmonitored, up to the first test that a list shows as unknown. A report that ends in such a time, before it goes beyond the list or when the pause may be over, is counted up to the begin of this time. |
 * | A failure that the report still lacks | 35 minutes after it, the report is right. As long as the list shows the check down, it waits for a day. |
 * | The check is paused | The end of a report is not the pause. Up to the last test as above; from there to 35 minutes before the request, time without an entry is unmonitored, once that is after the first list of the pause: a report of an earlier time may end with the last test, or lack an unknown state that lasts, and lists may lack its tests. An unknown state in which a newer report ends waits until one reaches the list: it may be the pause. |
 * | Tests stood still, or the resolution changed | From one list to the next, `settle` decides that a report is needed up to the newer one. |
 * | After an absence | A list that proves the time waits up to 25 minutes for a report, which may show a pause: of as many checks as reports can be read in this time. |
 * | Outages in an absence | The first list after it shows only the last one. A report requested within 35 minutes of that list is counted up to 35 minutes before its request, and the next request waits until a report is complete up to the end of a listed failure, or to that list. |
 * | The next request | Unless an absence delays it: after the lag of the last report, at least a minute; after twice as long each time, up to half an hour, while reports have nothing to count or are refused. |
 * | States that cannot be read, a report that stays behind, or one of nothing but downtime that lacks the test at the horizon | Nothing is counted. After a day, an hour of which was spent asking, what the report has and the outages that lists have shown are counted. The rest is unknown if no list has shown an outcome, else unmonitored. The hour begins again, once, after a day in which no report was read, and, once, when a list shows an outcome after an unknown state: only then can a report have that state. |
 *
 * The limit: unknown or unmonitored time between two lists that neither shows is counted as the state
 * around it.
 */
export class AwaitedReports {
  #listTimes: ListTimes | undefined;
  /** Maintenance is unknown, so nothing may be counted now. Evidence is still collected. */
  isHeld = false;

  /** A list was read. Call this before `listed`. */
  read(listTimes: ListTimes): void {
    this.#listTimes = listTimes;
  }

  /**
   * What a list settles, which waits after an absence: only a report shows a pause that began and
   * ended in it. `now`: monotonic milliseconds.
   */
  afterAbsence(
    { awaitedReport: awaited }: AwaitingCheck,
    check: Check,
    tally: StateTally,
    settled: Settlement,
    now: number,
  ): Settlement {
    const { lastTestAtSeconds = 0 } = check;
    if (settled.recorded.length === 0 || this.#listTimes === undefined) return settled;
    const isHidden =
      awaited === undefined
        ? mayHidePause(check, tally.horizonSeconds, this.#listTimes)
        : awaited.hidden !== undefined &&
          now - awaited.hidden.since < 1000 * absencePatienceSeconds;
    if (!isHidden || !isTested(check.status)) return settled;
    const report = { atSeconds: lastTestAtSeconds, state: tally.state };
    return { tally, recorded: [], report, isHiddenPause: true };
  }

  /** A list was settled for a check. `now`: monotonic milliseconds. */
  listed(
    awaiting: AwaitingCheck,
    check: Check,
    { tally, recorded, report, isHiddenPause }: Settlement,
    now: number,
  ): void {
    // Nothing is counted by a list whose tests are ahead of the clock, so no fact of it is known.
    const { receivedAtSeconds = Number.POSITIVE_INFINITY } = this.#listTimes ?? {};
    if (isAhead(check.lastTestAtSeconds ?? 0, receivedAtSeconds)) return;
    const awaited = awaiting.awaitedReport;
    if (awaited !== undefined) {
      const { test, lagSeconds } = awaited;
      awaited.test = testOf(check, test);
      // What a report could not show is over.
      if (test.state === undefined && awaited.test.state !== undefined) {
        const delay = Math.max(shortestDelaySeconds, lagSeconds);
        awaited.askFrom = Math.min(awaited.askFrom, now + delay * 1000);
        if (!awaited.beganAgainWithOutcome) delete awaited.asking;
        awaited.beganAgainWithOutcome = true;
      }
    }
    if (report === undefined) {
      if (recorded.length > 0) awaiting.awaitedReport = undefined;
      return;
    }
    // The report of a pause is not complete before the longest lag is over.
    const wait = report.state === 'unmonitored' ? longestLagSeconds * 1000 : 0;
    const atHorizon = { atSeconds: tally.horizonSeconds, state: undefined };
    const test = testOf(check, atHorizon);
    if (awaited === undefined) {
      const hidden = isHiddenPause && { untilSeconds: test.atSeconds, since: now };
      const pending = { test, attempts: 0, askFrom: now + wait, lagSeconds: 0 };
      awaiting.awaitedReport = { ...pending, ...(hidden && { hidden }) };
    } else if (awaited.asking === undefined && awaited.attempts === 0) {
      awaited.askFrom = Math.min(awaited.askFrom, now + wait);
    }
    if (!isHiddenPause) delete awaited?.hidden;
  }

  /** Returns whether a report must be requested now; `now` is in monotonic milliseconds. */
  isDue({ awaitedReport }: AwaitingCheck, now: number): boolean {
    return !this.isHeld && awaitedReport !== undefined && awaitedReport.askFrom <= now;
  }

  /** The report to request for a check; undefined if none is awaited. */
  ask(
    { awaitedReport: pending }: AwaitingCheck,
    { horizonSeconds }: StateTally,
    nowSeconds: number,
  ): Question | undefined {
    if (pending === undefined || this.isHeld) return undefined;
    const { asking, test } = pending;
    return {
      fromSeconds: horizonSeconds,
      toSeconds: Math.max(nowSeconds, test.atSeconds, horizonSeconds + 1),
      requestedAtSeconds: nowSeconds,
      askedSinceSeconds: askedOnce(asking, nowSeconds).sinceSeconds,
      test,
    };
  }

  /**
   * Counts what a report proves, and then what the newest list proves. `tally` and `check` are the
   * present ones.
   */
  apply(
    awaiting: AwaitingCheck,
    question: Question,
    report: OutageReport,
    { tally, check }: { readonly tally: StateTally; readonly check: Check },
  ): ReportUpdate {
    if (this.isHeld || awaiting.awaitedReport === undefined) {
      return { tally, recorded: [], contradicted: [] };
    }
    const reported = countReport(question, report, tally, check, this.#listTimes);
    if (this.#listTimes === undefined) return reported;
    const { untilSeconds = 0 } = awaiting.awaitedReport.hidden ?? {};
    const unseenSeconds = untilSeconds - reported.tally.horizonSeconds;
    // What comes after the report may be a pause, too.
    if (unseenSeconds > longestUnseen(check, this.#listTimes)) return reported;
    const listed = settle(reported.tally, check, this.#listTimes);
    // The next list gives it up.
    if (listed.unread !== undefined) return reported;
    const isSettled =
      listed.report === undefined && (check.lastTestAtSeconds ?? 0) <= listed.tally.horizonSeconds;
    if (isSettled) awaiting.awaitedReport = undefined;
    const recorded = [...reported.recorded, ...listed.recorded];
    return { ...reported, tally: listed.tally, recorded };
  }

  /** After `apply`, plans the next request. `now`: monotonic milliseconds. */
  answered(
    { awaitedReport: pending }: AwaitingCheck,
    question: Question,
    { items, isCounted, tally }: AppliedReport,
    now: number,
  ): void {
    if (pending === undefined) return;
    const end = endOfReport(items);
    const isLonger = end > question.fromSeconds;
    if (isLonger) pending.lagSeconds = Math.max(0, question.requestedAtSeconds - end);
    pending.attempts = isCounted && isLonger ? 0 : pending.attempts + 1;
    const asking = askedOnce(pending.asking, question.requestedAtSeconds);
    pending.asking = isCounted ? { ...asking, isAgain: false } : asking;
    if (isCounted) pending.beganAgainWithOutcome = false;
    planNext(pending, now);
    // A report that is requested sooner would be counted only up to 35 minutes before its request.
    const { requestedAtSeconds } = question;
    const delay = (completeAtSeconds(tally, question) ?? requestedAtSeconds) - requestedAtSeconds;
    pending.askFrom = Math.max(pending.askFrom, now + Math.min(delay, longestLagSeconds) * 1000);
  }

  /** The service refuses the report of this check. The next request waits longer each time. */
  refused({ awaitedReport: pending }: AwaitingCheck, now: number): void {
    if (pending === undefined) return;
    pending.attempts += 1;
    planNext(pending, now);
  }
}

function planNext(pending: AwaitedReport, now: number): void {
  const backoff = shortestDelaySeconds * 2 ** Math.max(0, pending.attempts - 1);
  const delay = Math.min(longestDelaySeconds, Math.max(backoff, pending.lagSeconds));
  pending.askFrom = now + delay * 1000;
}

/** The last test whose outcome a list shows. An unconfirmed status and a pause show none. */
function testOf(check: Check, before: ListedTest): ListedTest {
  const { status } = check;
  const atSeconds = shownTest(check);
  if (atSeconds === undefined || atSeconds < before.atSeconds) return before;
  if (status === 'up' || status === 'down') return { atSeconds, state: status };
  return status === 'unknown' ? { atSeconds, state: undefined } : before;
}
