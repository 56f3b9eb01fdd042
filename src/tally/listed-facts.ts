import type { Check } from '../domain/check.ts';
import type { MonitoredState, StateSpan, TimeRange } from '../domain/interval.ts';
import { neighbouringTests } from './list-evidence.ts';
import type { ListTimes } from './list-times.ts';
import { subtract } from './maintenance-tally.ts';
import { passedFor } from './start-tally.ts';
import type { ListedFact, StateTally } from './state-tally.ts';

/** As many outages may be listed while a report lags by up to 35 minutes. */
const maxFacts = 40;

/** Whether the facts of further lists are left out, until a report has shown earlier ones. */
export function isFull({ facts = [] }: StateTally): boolean {
  return facts.length >= maxFacts;
}

/** Adds the facts of one more list. The same object if there are none. */
export function withFacts(tally: StateTally, check: Check, listTimes: ListTimes): StateTally {
  const facts = tally.facts ?? [];
  const listed = [
    ...factsOf(tally, check, listTimes),
    ...unknownAfterPause(tally, check),
    ...endOfOutage(tally, check),
  ];
  const fresh = listed.filter(
    ({ kind, fromSeconds }) =>
      !facts.some((earlier) => earlier.kind === kind && earlier.fromSeconds === fromSeconds),
  );
  const kept = facts.filter(
    (earlier) => !fresh.some((fact) => isNextFailure(earlier, fact, check)),
  );
  if (fresh.length === 0 || kept.length >= maxFacts) return tally;
  return { ...tally, facts: [...kept, ...fresh] };
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

function isUndated({ kind }: ListedFact): boolean {
  return kind === 'undated' || kind === 'failed';
}

function factsOf(
  { state, horizonSeconds }: StateTally,
  check: Check,
  listTimes: ListTimes,
): ListedFact[] {
  const { status, lastTestAtSeconds: lastTest = 0 } = check;
  if (status === 'unconfirmed_down') return [];
  if (status === 'down') return downFacts(check, horizonSeconds);
  const facts = lastFailureFacts(check, horizonSeconds);
  if (status !== 'paused') return facts;
  // The check is paused when the list is received, and perhaps since its last test.
  const fromSeconds = Math.max(lastTest, horizonSeconds);
  const toSeconds = Math.max(passedFor(check, listTimes) + 1, listTimes.receivedAtSeconds);
  const isCounted = state === 'unmonitored' && lastTest < horizonSeconds;
  if (isCounted || fromSeconds >= toSeconds) return facts;
  return [...facts, { kind: 'paused', fromSeconds, toSeconds }];
}

function downFacts(check: Check, horizonSeconds: number): ListedFact[] {
  const { lastTestAtSeconds: lastTest = 0, lastDownStartAtSeconds: start } = check;
  const isStartListed = start !== undefined && start <= lastTest;
  const fromSeconds = Math.max(isStartListed ? start : lastTest - 1, horizonSeconds);
  return [{ kind: isStartListed ? 'down' : 'undated', fromSeconds, toSeconds: lastTest + 1 }];
}

/** The test that shows that a pause is over, although reports may go on to show the same state. */
function unknownAfterPause(
  { facts = [], state, horizonSeconds }: StateTally,
  { status, lastTestAtSeconds: lastTest = 0 }: Check,
): ListedFact[] {
  if (status !== 'unknown' || facts.some(({ kind }) => kind === 'unknown')) return [];
  const pausedFrom = facts.flatMap(({ kind, fromSeconds }) =>
    kind === 'paused' ? fromSeconds : [],
  );
  if (state === 'unmonitored') pausedFrom.push(horizonSeconds);
  if (pausedFrom.length === 0 || lastTest <= Math.max(...pausedFrom)) return [];
  return [{ kind: 'unknown', fromSeconds: lastTest, toSeconds: lastTest + 1 }];
}

/** The good test with which the last outage ended, if it is the last test of this list. */
function endOfOutage(
  { horizonSeconds }: StateTally,
  { status, lastTestAtSeconds: lastTest, lastDownEndAtSeconds: end }: Check,
): ListedFact[] {
  if (status !== 'up' || end === undefined || end !== lastTest || end < horizonSeconds) return [];
  return [{ kind: 'ended', fromSeconds: end, toSeconds: end + 1 }];
}

/** The last failure of a check that is not down now: an outage, or a failed test without its start. */
function lastFailureFacts(check: Check, horizonSeconds: number): ListedFact[] {
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

/** The failures that a report does not show, oldest first. */
export function lackedFailures(
  { facts = [] }: StateTally,
  states: readonly StateSpan<MonitoredState>[],
): ListedFact[] {
  const down = states.filter(({ state }) => state === 'down');
  return facts
    .filter(({ kind }) => kind !== 'paused' && kind !== 'unknown' && kind !== 'ended')
    .filter((fact) => !down.some((span) => overlaps(span, fact)))
    .sort((a, b) => a.fromSeconds - b.fromSeconds);
}

/** The states of a report, and the outages that lists have shown where it has none. */
export function withListedOutages(
  { facts = [], horizonSeconds }: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  check: Check,
): readonly StateSpan<MonitoredState>[] {
  // The newest list may have the end of an outage that an earlier one has shown.
  const last =
    check.status === 'down'
      ? downFacts(check, horizonSeconds)
      : lastFailureFacts(check, horizonSeconds);
  const listed = [...facts, ...last].filter(({ kind }) => kind === 'down' || kind === 'undated');
  return [
    ...states,
    ...subtract(listed, states).map((part) => ({ state: 'down' as const, ...part })),
  ];
}

/**
 * When the outage of a fact began at the earliest: at its listed start, or after the outage that the
 * report shows before it.
 */
export function earliestBeginning(
  fact: ListedFact,
  states: readonly StateSpan<MonitoredState>[],
  horizonSeconds: number,
): number {
  const { fromSeconds } = fact;
  if (!isUndated(fact)) return fromSeconds;
  const ends = states.flatMap(({ state, toSeconds }) =>
    state === 'down' && toSeconds <= fromSeconds ? toSeconds : [],
  );
  return Math.max(horizonSeconds, ...ends);
}

/**
 * The states without those that a report shows as unknown although a list has shown a pause: from
 * the last test before the pause on, such a time is unmonitored. So is the rest of a pause that is
 * counted up to the horizon. A test that a list has shown as unknown ends a pause.
 */
export function withoutListedPauses(
  { facts = [], state, horizonSeconds }: StateTally,
  states: readonly StateSpan<MonitoredState>[],
): readonly StateSpan<MonitoredState>[] {
  const pauses: TimeRange[] = facts.filter(({ kind }) => kind === 'paused');
  if (state === 'unmonitored') {
    pauses.push({ fromSeconds: horizonSeconds, toSeconds: horizonSeconds + 1 });
  }
  if (pauses.length === 0) return states;
  return states.flatMap((span) => {
    const isPause = (fact: TimeRange) =>
      // The pause may have begun in the second in which the list was read.
      span.fromSeconds <= fact.toSeconds &&
      span.toSeconds > fact.fromSeconds &&
      // A state that is over before the list was read is no pause.
      span.toSeconds >= fact.toSeconds &&
      // A gap is the pause itself.
      span.toSeconds < firstGap(states, Math.max(fact.fromSeconds, horizonSeconds));
    const pause = span.state === 'unknown' && pauses.find(isPause);
    if (!pause) return [span];
    const endSeconds = unknownFrom(pause, facts);
    return [
      { ...span, toSeconds: Math.min(span.toSeconds, pause.fromSeconds) },
      { ...span, fromSeconds: Math.max(span.fromSeconds, endSeconds) },
    ].filter(({ fromSeconds, toSeconds }) => fromSeconds < toSeconds);
  });
}

/**
 * When the unknown state began in which a report ends, if it may be a listed pause: the report does
 * not reach the list that has shown it. Of a check that is paused now, only a state that ends after
 * `finalSeconds` may be longer in the next report.
 */
export function undecidedFrom(
  { facts = [] }: StateTally,
  items: readonly StateSpan<MonitoredState>[],
  { status }: Check,
  finalSeconds: number,
): number | undefined {
  const last = items.reduce<StateSpan<MonitoredState> | undefined>(
    (latest, span) => (latest === undefined || span.toSeconds > latest.toSeconds ? span : latest),
    undefined,
  );
  if (last?.state !== 'unknown') return undefined;
  if (status === 'paused' && last.toSeconds <= finalSeconds) return undefined;
  const mayBePause = facts.some(
    (fact) => fact.kind === 'paused' && overlaps(last, fact) && fact.toSeconds > last.toSeconds,
  );
  return mayBePause ? last.fromSeconds : undefined;
}

/** From here on, a check that is paused now was not tested; undefined if it is not paused. */
export function notTestedFrom({
  status,
  lastTestAtSeconds = 0,
  resolutionSeconds = 0,
}: Check): number | undefined {
  return status === 'paused' ? lastTestAtSeconds + resolutionSeconds : undefined;
}

/** When a check that is paused now was paused at the latest: a list has shown it, or a test was due. */
export function pausedBy({ facts = [] }: StateTally, check: Check): number {
  const { lastTestAtSeconds = 0 } = check;
  const pause = facts.find(
    ({ kind, toSeconds }) => kind === 'paused' && toSeconds > lastTestAtSeconds,
  );
  const shownAt = pause?.toSeconds ?? Number.POSITIVE_INFINITY;
  return Math.min(shownAt, notTestedFrom(check) ?? Number.POSITIVE_INFINITY);
}

/** The states without the unknown time that is the pause of a check that is paused now. */
export function withoutPresentPause(
  states: readonly StateSpan<MonitoredState>[],
  check: Check,
): readonly StateSpan<MonitoredState>[] {
  const untestedFrom = notTestedFrom(check);
  if (untestedFrom === undefined) return states;
  const { lastTestAtSeconds = 0 } = check;
  return states.flatMap((span) => {
    if (span.state !== 'unknown' || span.toSeconds <= untestedFrom) return [span];
    // An unknown state at the last test goes on until the next one would have been due.
    if (span.fromSeconds > lastTestAtSeconds) return [];
    return [{ ...span, toSeconds: untestedFrom }];
  });
}

/** When a list has shown an unknown test after a pause; infinite if none has. */
function unknownFrom(pause: TimeRange, facts: readonly ListedFact[]): number {
  const test = facts.find(
    ({ kind, fromSeconds }) => kind === 'unknown' && fromSeconds >= pause.fromSeconds,
  );
  return test?.fromSeconds ?? Number.POSITIVE_INFINITY;
}

/** The first time from `atSeconds` on without a state before a later one; infinite if there is none. */
function firstGap(states: readonly StateSpan[], atSeconds: number): number {
  let coveredTo = atSeconds;
  for (const span of states.toSorted((a, b) => a.fromSeconds - b.fromSeconds)) {
    if (span.toSeconds <= coveredTo) continue;
    if (span.fromSeconds > coveredTo) return coveredTo;
    coveredTo = span.toSeconds;
  }
  return Number.POSITIVE_INFINITY;
}

function overlaps(a: TimeRange, b: TimeRange): boolean {
  return a.fromSeconds < b.toSeconds && a.toSeconds > b.fromSeconds;
}
