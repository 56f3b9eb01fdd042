import { type Check, isUnconfirmed } from '../domain/check.ts';
import { neighbouringTests } from './list-evidence.ts';
import { isAfterAbsence, type ListTimes } from './list-times.ts';
import { passedFor } from './start-tally.ts';
import type { ListedFact, StateTally } from './state-tally.ts';

/** As many outages may be listed while a report lags by up to 35 minutes. */
const maxFacts = 40;
/** Pauses and absences, without which a report is misread, have as much room again. */
const mostFacts = 2 * maxFacts;

/** Whether the failures of further lists are left out, until a report has shown earlier ones. */
export function isFull({ facts = [] }: StateTally): boolean {
  return facts.length >= maxFacts;
}

/** Adds the facts of one more list. The same object if there are none. */
export function withFacts(tally: StateTally, check: Check, listTimes: ListTimes): StateTally {
  const listed = withListed(tally, check, [
    ...factsOf(tally, check, listTimes),
    ...notPaused(tally, check, listTimes),
    ...endOfOutage(tally, check),
    ...absence(tally, check, listTimes),
  ]);
  return withUnknown(listed, check, listTimes);
}

/** Notes how long lists have shown the check as unknown. */
function withUnknown(tally: StateTally, check: Check, listTimes: ListTimes): StateTally {
  const { unknownUntilSeconds = 0 } = tally;
  const untilSeconds = passedFor(check, listTimes) + 1;
  if (check.status !== 'unknown' || untilSeconds <= unknownUntilSeconds) return tally;
  return { ...tally, unknownUntilSeconds: untilSeconds };
}

/** Adds only the absence before this list, which shows nothing else. The same object without one. */
export function withAbsence(tally: StateTally, check: Check, listTimes: ListTimes): StateTally {
  const [fact] = absence(tally, check, listTimes);
  return fact === undefined ? tally : withListed(tally, check, [fact]);
}

/** Adds what the list shows before the next test confirms the recovery: that a test was good. */
export function withRecovery(tally: StateTally, check: Check, listTimes: ListTimes): StateTally {
  return withListed(tally, check, [
    ...endOfOutage(tally, check),
    ...absence(tally, check, listTimes),
  ]);
}

function withListed(tally: StateTally, check: Check, listed: readonly ListedFact[]): StateTally {
  const facts = tally.facts ?? [];
  const fresh = listed.filter(
    ({ kind, fromSeconds }) =>
      !facts.some((earlier) => earlier.kind === kind && earlier.fromSeconds === fromSeconds),
  );
  const kept = facts.filter(
    (earlier, place) =>
      !fresh.some((fact) => isNextFailure(earlier, fact, check) || isReplaced(facts, place, fact)),
  );
  const added = fresh.filter((fact) => kept.length < (isFailure(fact) ? maxFacts : mostFacts));
  return added.length === 0 ? tally : { ...tally, facts: [...kept, ...added] };
}

/**
 * Without the ends of outages in the first list after a start: nothing shows that the check was
 * tested since. The same object if there are none.
 */
export function withWatched(tally: StateTally, { elapsedSeconds }: ListTimes): StateTally {
  const { facts = [] } = tally;
  if (elapsedSeconds !== undefined || !facts.some(({ kind }) => kind === 'ended')) return tally;
  return { ...tally, facts: facts.filter(({ kind }) => kind !== 'ended') };
}

/** Consecutive failed tests are one outage, of which the last one is enough. */
function isNextFailure(earlier: ListedFact, next: ListedFact, { resolutionSeconds = 0 }: Check) {
  const seconds = next.toSeconds - earlier.toSeconds;
  const areUndated = isUndated(earlier) && isUndated(next);
  return areUndated && seconds > 0 && seconds <= neighbouringTests * resolutionSeconds;
}

/**
 * Of absences, the last one is enough; of an unknown state without a listed test, the first list and
 * the last one after an absence. The others would fill the facts of a check that stays unknown.
 */
function isReplaced(facts: readonly ListedFact[], place: number, { kind }: ListedFact): boolean {
  if (facts[place]?.kind !== kind) return false;
  return kind === 'absence' || (kind === 'untested' && facts[place - 1]?.kind === kind);
}

/** Whether the list shows that a test failed. */
export function isFailure({ kind }: ListedFact): boolean {
  return kind === 'down' || kind === 'undated' || kind === 'failed';
}

/** Whether the list shows that a test failed, and not when the outage began. */
export function isUndated({ kind }: ListedFact): boolean {
  return kind === 'undated' || kind === 'failed';
}

function factsOf(tally: StateTally, check: Check, listTimes: ListTimes): ListedFact[] {
  const { state, horizonSeconds, unknownUntilSeconds = 0 } = tally;
  const { status, lastTestAtSeconds: lastTest = 0 } = check;
  if (isUnconfirmed(status)) return [];
  const facts = lastFailure(check, horizonSeconds);
  if (status !== 'paused') return facts;
  // The check is paused when the list is received, and perhaps since its last test. A pause after an
  // unknown state is another one than that before it.
  const fromSeconds = Math.max(lastTest, horizonSeconds, unknownUntilSeconds);
  const toSeconds = Math.max(passedFor(check, listTimes) + 1, listTimes.receivedAtSeconds);
  const isCounted = state === 'unmonitored' && lastTest < horizonSeconds && !wasUnknown(tally);
  if (isCounted || fromSeconds >= toSeconds) return facts;
  return [...facts, { kind: 'paused', fromSeconds, toSeconds }];
}

/** Whether a list has shown the check as unknown after the horizon. */
export function wasUnknown({ unknownUntilSeconds = 0, horizonSeconds }: StateTally): boolean {
  return unknownUntilSeconds > horizonSeconds;
}

/**
 * What shows that an unknown check is not paused: its first test after a pause, although reports may
 * go on to show the same state, or the list itself. After an absence, the list shows it again.
 */
function notPaused(
  { facts = [], state, horizonSeconds }: StateTally,
  check: Check,
  listTimes: ListTimes,
): ListedFact[] {
  const { status, lastTestAtSeconds: lastTest = 0 } = check;
  if (status !== 'unknown') return [];
  const pausedFrom = facts.flatMap(({ kind, fromSeconds }) =>
    kind === 'paused' ? fromSeconds : [],
  );
  if (state === 'unmonitored') pausedFrom.push(horizonSeconds);
  const lastPause = Math.max(...pausedFrom);
  const isTested = lastTest > Math.max(lastPause, horizonSeconds);
  if (isTested && pausedFrom.length === 0) return [];
  const kind = isTested ? 'unknown' : 'untested';
  const sincePause = facts.slice(facts.findLastIndex((fact) => fact.kind === 'paused') + 1);
  const isShown = sincePause.some((fact) => fact.kind === kind);
  if (isShown && (isTested || !isAfterAbsence(check, listTimes))) return [];
  if (isTested) return [{ kind, fromSeconds: lastTest, toSeconds: lastTest + 1 }];
  const fromSeconds = passedFor(check, listTimes);
  return [{ kind, fromSeconds, toSeconds: Math.max(fromSeconds, listTimes.receivedAtSeconds) + 1 }];
}

/** The good test with which the last outage ended, if it is the last test of this list. */
function endOfOutage(
  { horizonSeconds }: StateTally,
  { status, lastTestAtSeconds: lastTest, lastDownEndAtSeconds: end }: Check,
): ListedFact[] {
  const isGood = status === 'up' || status === 'unconfirmed_up';
  if (!isGood || end === undefined || end !== lastTest || end < horizonSeconds) return [];
  return [{ kind: 'ended', fromSeconds: end, toSeconds: end + 1 }];
}

/**
 * The time without lists before this one, up to its last test. Of several outages in it, this list
 * shows the last one.
 */
function absence({ horizonSeconds }: StateTally, check: Check, listTimes: ListTimes): ListedFact[] {
  const { receivedAtSeconds, unlistedSeconds = 0 } = listTimes;
  const { lastTestAtSeconds: lastTest = receivedAtSeconds } = check;
  if (!isAfterAbsence(check, listTimes)) return [];
  // A list that has no newer test, or not its outcome, shows nothing of the absence.
  const isShown = lastTest > horizonSeconds && !isUnconfirmed(check.status);
  const toSeconds = isShown ? lastTest : receivedAtSeconds;
  return [{ kind: 'absence', fromSeconds: receivedAtSeconds - unlistedSeconds, toSeconds }];
}

/** The last failure that a list shows after the horizon: an outage, or a failed test without its start. */
export function lastFailure(check: Check, horizonSeconds: number): ListedFact[] {
  return check.status === 'down'
    ? ongoingFailure(check, horizonSeconds)
    : endedFailure(check, horizonSeconds);
}

function ongoingFailure(check: Check, horizonSeconds: number): ListedFact[] {
  const { lastTestAtSeconds: lastTest = 0, lastDownStartAtSeconds: start } = check;
  const isStartListed = start !== undefined && start <= lastTest;
  const fromSeconds = Math.max(isStartListed ? start : lastTest - 1, horizonSeconds);
  return [{ kind: isStartListed ? 'down' : 'undated', fromSeconds, toSeconds: lastTest + 1 }];
}

/** The last failure of a check that is not down now: an outage, or a failed test without its start. */
function endedFailure(check: Check, horizonSeconds: number): ListedFact[] {
  const { lastTestAtSeconds: lastTest = 0, lastErrorAtSeconds: lastError } = check;
  const { lastDownStartAtSeconds: start, lastDownEndAtSeconds: end } = check;
  if (start === undefined) {
    if (lastError === undefined || lastError < horizonSeconds) return [];
    return [{ kind: 'failed', fromSeconds: lastError, toSeconds: lastError + 1 }];
  }
  // An outage that began before the horizon may have ended before it: its listed end can be the
  // first successful test, with an unknown state or a pause in between.
  const toSeconds = end !== undefined && end > start ? Math.min(end, lastTest) : lastTest;
  const isAfterHorizon = start >= horizonSeconds && start < toSeconds;
  return isAfterHorizon ? [{ kind: 'down', fromSeconds: start, toSeconds }] : [];
}
