import { type Check, isUnconfirmed, lastFailureOf } from '../domain/check.ts';
import type { MonitoredState, StateSpan, TalliedState, TimeRange } from '../domain/interval.ts';
import { present } from '../lib/present.ts';
import { fillSpans } from '../tally/apply-report.ts';
import { reportPatience } from '../tally/count-report.ts';
import { neighbouringTests } from '../tally/list-evidence.ts';
import { longestLagSeconds } from '../tally/list-times.ts';
import { subtract } from '../tally/maintenance-tally.ts';
import { notTestedFrom, withoutPresentPause } from '../tally/reported-pauses.ts';
import { withGivenUp } from './given-up.ts';
import { withPast, withTail } from './log-past.ts';
import {
  isBeginning,
  isFirstTest,
  type KnownStates,
  keptFromSeconds,
  openOutage,
  type StateLog,
} from './state-log.ts';
import { isSettled, provenByListed, settledSeconds } from './tail.ts';

type States = readonly StateSpan<MonitoredState>[];

/** A report of the time before first sight, or of a part of it. */
interface PastReport {
  readonly items: States;
  readonly requestedAtSeconds: number;
  /** The part that the report was requested for. It ends by first sight. */
  readonly wanted: TimeRange;
  /** The report was incomplete for a day, so its entries are used, and the rest is given up. */
  readonly isGivenUp: boolean;
}

const shortestDelaySeconds = 60;
const longestDelaySeconds = 1_800;

/**
 * The log with the states that a report proves, and then with those that the list proves from there
 * on. The rest is the tail, which is read again.
 */
export function withPastReport(
  known: KnownStates & { readonly log: StateLog },
  entry: Check,
  report: PastReport,
): StateLog {
  const { wanted, isGivenUp } = report;
  const { fromSeconds, toSeconds } = wanted;
  const { log } = known;
  const tested = withoutPresentPause(report.items, entry);
  const items = untilNextTest(tested, known, entry, toSeconds);
  const lacks = lacksTests(report.items, entry, wanted);
  let until = toSeconds;
  if (!isGivenUp) {
    const proven = lacks ? fromSeconds : provenUntil(known, entry, { ...report, items });
    until = Math.min(toSeconds, Math.max(fromSeconds, proven));
  }
  const spans = fillSpans(isGivenUp ? withListedOutage(items, entry) : items, fromSeconds, until);
  const before = spans.at(-1)?.state;
  const rest = { fromSeconds: until, toSeconds };
  const listed = until < toSeconds ? provenByListed(known, entry, before, rest) : [];
  spans.push(...listed);
  const knownUntil = spans.at(-1)?.toSeconds ?? fromSeconds;
  let tail: StateLog['tail'];
  if (knownUntil < toSeconds) {
    const isEndListed = log.tail === undefined ? isBeginning(log, toSeconds) : log.tail.isEndListed;
    tail = present({
      fromSeconds: knownUntil,
      toSeconds,
      isEndListed: isEndListed || undefined,
      askFromSeconds: nextRequest(known, report, lacks),
    });
    spans.push(...unprovenStates(tail, spans.at(-1)?.state, entry, lacks));
  }
  const next =
    log.tail === undefined
      ? present({
          ...withPast(log, spans, keptFromSeconds(known, known.states.horizonSeconds)),
          tail,
        })
      : withTail(known, spans, tail);
  return isGivenUp
    ? withGivenUp(next, subtract([wanted], withListedOutage(report.items, entry)))
    : next;
}

/**
 * Whether a report lacks tests that the list proves: the check was tested in that time, and the
 * report has nothing, or nothing but downtime that does not fill it.
 */
export function lacksTests(
  items: States,
  { lastTestAtSeconds = 0, resolutionSeconds = 0 }: Check,
  { fromSeconds }: TimeRange,
): boolean {
  if (items.some(({ state }) => state !== 'down')) return false;
  const firstTestSeconds = fromSeconds + neighbouringTests * resolutionSeconds;
  const first = items.reduce((least, span) => Math.min(least, span.fromSeconds), lastTestAtSeconds);
  return first > firstTestSeconds;
}

/**
 * The next request: after the lag of this report, and then after twice the time each, but once when
 * no report can lag so far, and once when the rest is given up.
 */
function nextRequest(
  known: KnownStates,
  { items, wanted: { toSeconds }, requestedAtSeconds }: PastReport,
  lacks: boolean,
): number {
  const lastSeconds = lacks ? undefined : items.at(-1)?.toSeconds;
  const lagSeconds = lastSeconds === undefined ? 0 : requestedAtSeconds - lastSeconds;
  const passedSeconds = requestedAtSeconds - toSeconds;
  const next = requestedAtSeconds + Math.max(shortestDelaySeconds, lagSeconds, passedSeconds);
  const givenUpSeconds = toSeconds + reportPatience.givenUpAfterSeconds;
  const limits = [settledSeconds(known, toSeconds), givenUpSeconds];
  const limit = limits.find((atSeconds) => atSeconds > requestedAtSeconds);
  return Math.min(next, limit ?? requestedAtSeconds + longestDelaySeconds);
}

/**
 * The time up to which a report is right: to its own end if it has the failures that the list shows,
 * else to the longest lag before the request. What is older is final. What an unconfirmed test meant
 * comes into reports with the next one: until then they go on with the state before it.
 */
function provenUntil(
  known: KnownStates,
  entry: Check,
  { items, wanted: { toSeconds }, requestedAtSeconds }: PastReport,
): number {
  const finalSeconds = requestedAtSeconds - longestLagSeconds;
  const testedUntil = notTestedFrom(entry) ?? Math.max(toSeconds, entry.lastTestAtSeconds ?? 0);
  if (finalSeconds >= testedUntil) return toSeconds;
  if (isSettled(known, entry, toSeconds)) return toSeconds;
  const last = items.at(-1);
  if (last === undefined) return finalSeconds;
  if (isUnconfirmed(entry.status)) {
    const { lastTestAtSeconds = finalSeconds } = entry;
    return Math.min(last.toSeconds, finalSeconds, lastTestAtSeconds);
  }
  if (lacksFailure(known, entry, items, finalSeconds)) {
    return Math.min(last.toSeconds, finalSeconds);
  }
  return last.toSeconds;
}

/** From the last test that a report has to the next one, which is after the past, nothing changes. */
function untilNextTest(
  items: States,
  known: KnownStates,
  { resolutionSeconds = 0 }: Check,
  toSeconds: number,
): States {
  const last = items.at(-1);
  if (last === undefined || last.state !== stateBefore(known, toSeconds)) return items;
  const isLastTest = last.toSeconds < toSeconds && last.toSeconds + resolutionSeconds > toSeconds;
  return isLastTest ? [...items.slice(0, -1), { ...last, toSeconds }] : items;
}

/** The state up to the end of the past: up before a listed outage, else that of first sight. */
function stateBefore({ states, log }: KnownStates, toSeconds: number): TalliedState {
  if (toSeconds < states.startSeconds) return 'up';
  return isFirstTest(states) ? states.state : (log?.changes.at(0)?.state ?? 'up');
}

/** Whether a report lacks a failure that is known, or may lack one that a later one hides. */
function lacksFailure(
  known: KnownStates,
  entry: Check,
  items: States,
  finalSeconds: number,
): boolean {
  const { lastErrorAtSeconds = 0, lastDownStartAtSeconds = 0 } = entry;
  const endSeconds = items.at(-1)?.toSeconds ?? 0;
  const isDownAt = (atSeconds: number) =>
    items.some(
      ({ state, fromSeconds, toSeconds }) =>
        // The report may end at this time.
        state === 'down' && fromSeconds <= atSeconds && atSeconds <= toSeconds,
    );
  const { startSeconds } = known.states;
  const changes = [...(known.log?.changes ?? [])];
  const first = changes.findLast(({ fromSeconds }) => fromSeconds <= startSeconds);
  const wasDown =
    first?.state === 'down' || (isFirstTest(known.states) && openOutage(known) !== undefined);
  const failures = [lastErrorAtSeconds, lastDownStartAtSeconds];
  if (!wasDown && failures.some((atSeconds) => atSeconds >= startSeconds)) return true;
  // Without a listed start, the outage of first sight may have begun before the report ends.
  if (wasDown && lastDownStartAtSeconds === 0) {
    return items.at(-1)?.state !== 'down' && !isDownAt(startSeconds);
  }
  return failures.some(
    (atSeconds) =>
      atSeconds < startSeconds &&
      atSeconds < endSeconds &&
      atSeconds >= finalSeconds &&
      !isDownAt(atSeconds),
  );
}

/** The states of a tail until it is read: those that the list shows, else unknown. */
function unprovenStates(
  tail: TimeRange,
  before: TalliedState | undefined,
  entry: Check,
  lacks: boolean,
): StateSpan[] {
  const { fromSeconds, toSeconds } = tail;
  if (!lacks) return [{ state: listedStateIn(tail, before, entry), fromSeconds, toSeconds }];
  return fillSpans(withListedOutage([], entry), fromSeconds, toSeconds).map((span) =>
    span.state === 'down' ? span : { ...span, state: 'unknown' },
  );
}

/** The state of a tail, if the list shows that it did not change. */
function listedStateIn(
  { fromSeconds, toSeconds }: TimeRange,
  before: TalliedState | undefined,
  entry: Check,
): TalliedState {
  const { lastDownStartAtSeconds: start, lastDownEndAtSeconds: end = 0, status } = entry;
  const { lastTestAtSeconds: lastTest = 0 } = entry;
  if (status === 'paused') return fromSeconds >= lastTest ? 'unmonitored' : 'unknown';
  const hasFailed = status !== 'up' || lastFailureOf(entry) >= fromSeconds;
  if (before === 'up' && !hasFailed) return 'up';
  const isDown =
    start !== undefined && start <= fromSeconds && (status === 'down' || end >= toSeconds);
  return before === 'down' && isDown ? 'down' : 'unknown';
}

/** The last outage of the list, where a report has no state. */
function withListedOutage(items: States, entry: Check): States {
  const { lastDownStartAtSeconds: start, lastDownEndAtSeconds: end, status } = entry;
  if (start === undefined) return items;
  const toSeconds = status === 'down' ? Number.POSITIVE_INFINITY : (end ?? start);
  const listed = subtract([{ fromSeconds: start, toSeconds }], items);
  return [...items, ...listed.map((part) => ({ state: 'down' as const, ...part }))];
}
