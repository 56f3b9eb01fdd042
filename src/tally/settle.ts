import { type Check, isTested, isUnconfirmed } from '../domain/check.ts';
import type { StateSpan, TimeRange } from '../domain/interval.ts';
import { present } from '../lib/present.ts';
import { advance, type Horizon } from './advance.ts';
import { reportPatience } from './count-report.ts';
import { lastOutageEndedAt, provenByList, shownTest } from './list-evidence.ts';
import {
  isAhead,
  type ListTimes,
  longestLagSeconds,
  longestUnseen,
  testJitterSeconds,
} from './list-times.ts';
import { wasUnknown, withAbsence, withFacts, withRecovery, withWatched } from './listed-facts.ts';
import { clip, subtract } from './maintenance-tally.ts';
import { passedFor } from './start-tally.ts';
import type { StateTally } from './state-tally.ts';

export interface Settlement {
  /** The same object when nothing changed. */
  readonly tally: StateTally;
  /** The recorded spans, oldest first, without gaps; empty while the horizon waits. */
  readonly recorded: readonly StateSpan[];
  /** Parts of it that are not watched: the check was unknown for a day, and no test was listed. */
  readonly unread?: readonly TimeRange[];
  /** Present if only an outage report of (tally's horizon, now] can advance the tally to here. */
  readonly report?: Horizon;
  /** The report may wait: it is needed only for a pause that nothing else shows. */
  readonly isHiddenPause?: true;
}

/**
 * Records what one entry of the check list proves. A check that has not failed costs no request;
 * nor does a check with a single outage whose times the list proves.
 *
 * The limit: unknown or unmonitored time that began and ended between two readings of the list, and
 * left no trace in it, is recorded as the state around it. An entry whose last test is ahead of the
 * clock is not trusted and changes nothing.
 */
export function settle(before: StateTally, check: Check, listTimes: ListTimes): Settlement {
  const tally = withPause(before, check, listTimes);
  const lastTest = shownTest(check);
  if (lastTest !== undefined && isAhead(lastTest, listTimes.receivedAtSeconds))
    return waiting(tally);
  const tested = lastTest !== undefined && lastTest > tally.horizonSeconds;
  switch (check.status) {
    case 'paused':
      return tested || tally.state !== 'unmonitored' || wasUnknown(tally)
        ? needsReport(
            evidenceOfPause(tally, check, listTimes),
            check,
            listTimes,
            passedFor(check, listTimes),
          )
        : idle(tally, check, listTimes);
    case 'unknown':
      if (tested)
        return needsReport(evidenceOfPause(tally, check, listTimes), check, listTimes, lastTest);
      if (lastTest === undefined && tally.state === 'unmonitored') {
        return idle(tally, check, listTimes);
      }
      return untested(withFacts(tally, check, listTimes), check, listTimes);
    case 'unconfirmed_down':
      return waiting(withAbsence(tally, check, listTimes));
    case 'unconfirmed_up':
      return waiting(withRecovery(tally, check, listTimes));
    case 'up':
    case 'down':
      return tested
        ? settleTested(tally, check, lastTest, listTimes)
        : waiting(withShownState(withAbsence(tally, check, listTimes), check));
  }
}

/** Notes since when lists have shown the check as paused: a later time if it may have been tested. */
function withPause(tally: StateTally, check: Check, listTimes: ListTimes): StateTally {
  const { pausedSinceSeconds, ...rest } = tally;
  if (check.status !== 'paused') return pausedSinceSeconds === undefined ? tally : rest;
  const unseenSeconds = passedFor(check, listTimes) - tally.horizonSeconds;
  const isSeen =
    pausedSinceSeconds !== undefined && unseenSeconds <= longestUnseen(check, listTimes);
  return isSeen ? tally : { ...tally, pausedSinceSeconds: listTimes.receivedAtSeconds };
}

/** The test at the end of a report is good once the list shows that it ended the reported outage. */
function withShownState(tally: StateTally, check: Check): StateTally {
  const { state, isReported, ...rest } = tally;
  if (state !== 'down' || !isReported || !lastOutageEndedAt(check, tally.horizonSeconds))
    return tally;
  return { ...rest, state: 'up' };
}

function settleTested(
  tally: StateTally,
  check: Check,
  lastTest: number,
  listTimes: ListTimes,
): Settlement {
  const watched = withWatched(tally, listTimes);
  const isReportDue =
    (tally.reportUntilSeconds ?? 0) > tally.horizonSeconds ||
    check.resolutionSeconds !== tally.resolutionSeconds;
  const recorded = isReportDue ? undefined : provenByList(watched, check, lastTest);
  if (recorded === undefined) return needsReport(watched, check, listTimes, lastTest);
  return { tally: advance(tally, horizonAt(check, lastTest)), recorded };
}

/**
 * The check is unknown, and the list shows no test after the horizon: it was resumed, or lists do not
 * show tests whose result is unknown. A report shows it once an outcome has followed. Of one that may
 * lag, the last state may go on, so another one is needed.
 */
function untested(tally: StateTally, check: Check, listTimes: ListTimes): Settlement {
  const { state, horizonSeconds: fromSeconds, facts, isReported } = tally;
  const toSeconds = passedFor(check, listTimes);
  const hasTestAtHorizon = state === 'up' || state === 'down';
  const sincePause = facts?.slice(facts.findLastIndex(({ kind }) => kind === 'paused') + 1);
  const listed = sincePause?.filter(({ kind }) => kind === 'untested') ?? [];
  // The first list after an absence adds another one.
  const first = listed[0]?.fromSeconds ?? toSeconds;
  const last = listed.at(-1)?.fromSeconds ?? toSeconds;
  const { givenUpAfterSeconds, leastAskingSeconds } = reportPatience;
  const { resolutionSeconds = check.resolutionSeconds ?? 0 } = tally;
  // The state of a test lasts until the next one.
  const untilNextTest = hasTestAtHorizon ? fromSeconds + resolutionSeconds : fromSeconds;
  const isSoonAfterAbsence =
    toSeconds - last < leastAskingSeconds && toSeconds - first < 2 * givenUpAfterSeconds;
  if (toSeconds - first < givenUpAfterSeconds || isSoonAfterAbsence) {
    const left = hasTestAtHorizon ? evidenceOfPause(tally, check, listTimes) : tally;
    const mayLag = untilNextTest > listTimes.receivedAtSeconds - longestLagSeconds;
    return isReported && hasTestAtHorizon && mayLag
      ? { tally: left, recorded: [], report: horizonAt(check, toSeconds) }
      : waiting(left);
  }
  // The last report ends where its state was over, unless it was counted up to a listed test only.
  const isUpToTest = fromSeconds === check.lastTestAtSeconds && isOutcomeOf(state, check);
  const nextTest = isReported && !isUpToTest ? fromSeconds : untilNextTest;
  const pauses = clip(facts?.filter(({ kind }) => kind === 'paused') ?? [], nextTest, toSeconds);
  // The next test may have come early, unless lists show a pause in its place.
  const isPaused = pauses[0]?.fromSeconds === nextTest;
  const knownUntil = isPaused ? nextTest : Math.max(fromSeconds, nextTest - testJitterSeconds);
  const unread = subtract([{ fromSeconds: knownUntil, toSeconds }], pauses);
  const recorded = [
    { state, fromSeconds, toSeconds: knownUntil },
    ...pauses.map((pause) => ({ ...pause, state: 'unmonitored' as const })),
    ...unread.map((range) => ({ ...range, state: 'unknown' as const })),
  ]
    .filter((span) => span.fromSeconds < span.toSeconds)
    .sort((a, b) => a.fromSeconds - b.fromSeconds);
  return { tally: advance(tally, horizonAt(check, toSeconds)), recorded, unread };
}

/** Whether the last test, which has an outcome, failed if the state is down, and else did not. */
function isOutcomeOf(state: StateTally['state'], check: Check): boolean {
  return (state === 'down') === (check.lastErrorAtSeconds === check.lastTestAtSeconds);
}

/** The check was not being tested at the horizon, and has not been tested since. */
function idle(tally: StateTally, check: Check, listTimes: ListTimes): Settlement {
  const toSeconds = passedFor(check, listTimes);
  if (toSeconds <= tally.horizonSeconds) return waiting(tally);
  const recorded = [
    { state: 'unmonitored', fromSeconds: tally.horizonSeconds, toSeconds },
  ] as const;
  const horizon = { ...horizonAt(check, toSeconds), state: 'unmonitored' } as const;
  return { tally: advance(tally, horizon), recorded };
}

function needsReport(
  tally: StateTally,
  check: Check,
  listTimes: ListTimes,
  toSeconds: number,
): Settlement {
  // A pause may be over before any test of the account proves that its time has passed.
  const listed = withFacts(tally, check, listTimes);
  if (toSeconds <= tally.horizonSeconds) return waiting(listed);
  return { tally: listed, recorded: [], report: horizonAt(check, toSeconds) };
}

function waiting(tally: StateTally): Settlement {
  return { tally, recorded: [] };
}

function horizonAt(check: Check, atSeconds: number): Horizon {
  const { status, resolutionSeconds } = check;
  return present({ atSeconds, state: stateOf(status), resolutionSeconds });
}

/** An unconfirmed status gives no horizon: its time waits for the next test. */
function stateOf(status: Check['status']): Horizon['state'] {
  if (status === 'paused') return 'unmonitored';
  return isUnconfirmed(status) ? 'unknown' : status;
}

/** In resolutions. The older list may lag, and the test after its last one may be late. */
const longestAdvance = 1.5;

/**
 * The time before which tests were interrupted since the list before, as far as two lists show it:
 * the resolution has changed, and this list may be old; or the last test advanced by more than the
 * time between the lists and a margin. Up to there, only a report may be recorded.
 */
export function interruptedUntil(
  before: Check,
  check: Check,
  { receivedAtSeconds, elapsedSeconds }: Pick<ListTimes, 'receivedAtSeconds' | 'elapsedSeconds'>,
): number | undefined {
  const { resolutionSeconds, lastTestAtSeconds } = check;
  if (lastTestAtSeconds === undefined) return undefined;
  if (resolutionSeconds !== before.resolutionSeconds) return receivedAtSeconds;
  if (elapsedSeconds === undefined || resolutionSeconds === undefined) return undefined;
  const allowed = elapsedSeconds + longestAdvance * resolutionSeconds;
  const advanced = lastTestAtSeconds - (before.lastTestAtSeconds ?? lastTestAtSeconds);
  return isTested(before.status) && advanced > allowed ? lastTestAtSeconds : undefined;
}

/**
 * A pause, or `unknown` before the first test after one, may have begun just before the list was
 * received, or in that second; a report that ends before that does not show it. One more second than
 * `passedFor` puts the evidence after every horizon of an earlier list.
 */
function evidenceOfPause(tally: StateTally, check: Check, listTimes: ListTimes): StateTally {
  const untilSeconds = Math.max(passedFor(check, listTimes), listTimes.receivedAtSeconds) + 1;
  return withEvidence(tally, untilSeconds);
}

/** Later lists may not show this again, so up to here only a report may be recorded. */
export function withEvidence(tally: StateTally, untilSeconds = 0): StateTally {
  const reported = tally.reportUntilSeconds ?? tally.horizonSeconds;
  return reported >= untilSeconds ? tally : { ...tally, reportUntilSeconds: untilSeconds };
}
