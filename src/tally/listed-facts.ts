import type { Check } from '../domain/check.ts';
import type { MonitoredState, StateSpan, TimeRange } from '../domain/interval.ts';
import type { ListTimes } from './list-times.ts';
import { passedFor } from './start-tally.ts';
import type { ListedFact, StateTally } from './state-tally.ts';

/** While a report lags by up to 35 minutes, as many lists of 2.x may show further failed tests. */
const maxFacts = 40;

/** Adds the facts of one more list. The same object if there are none. */
export function withFacts(tally: StateTally, check: Check, listTimes: ListTimes): StateTally {
  const facts = tally.facts ?? [];
  const fresh = factsOf(check, tally.horizonSeconds, listTimes).filter(
    ({ kind, fromSeconds }) =>
      !facts.some((known) => known.kind === kind && known.fromSeconds === fromSeconds),
  );
  if (fresh.length === 0 || facts.length >= maxFacts) return tally;
  return { ...tally, facts: [...facts, ...fresh] };
}

function factsOf(check: Check, horizonSeconds: number, listTimes: ListTimes): ListedFact[] {
  const { status, lastTestAtSeconds: lastTest = 0, lastErrorAtSeconds: lastError } = check;
  const { lastDownStartAtSeconds: start, lastDownEndAtSeconds: end } = check;
  if (status === 'paused') {
    // The check is paused when the list is received, and perhaps since its last test.
    const toSeconds = Math.max(passedFor(check, listTimes) + 1, listTimes.receivedAtSeconds);
    const isAfterHorizon = lastTest >= horizonSeconds && lastTest < toSeconds;
    return isAfterHorizon ? [{ kind: 'paused', fromSeconds: lastTest, toSeconds }] : [];
  }
  if (status === 'down') {
    // The last test failed, whether or not the list has the start of the outage.
    const since = start === undefined || start > lastTest ? lastTest - 1 : start;
    const fromSeconds = Math.max(since, horizonSeconds);
    return [{ kind: 'down', fromSeconds, toSeconds: lastTest + 1 }];
  }
  if (status !== 'up') return [];
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
    .filter((fact) => fact.kind !== 'paused' && !down.some((span) => overlaps(span, fact)))
    .sort((a, b) => a.fromSeconds - b.fromSeconds);
}

/**
 * The states without those that a report shows as unknown although a list has shown a pause: from
 * the last test before the pause on, such a time is unmonitored. So is the rest of a pause that is
 * counted up to the horizon.
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
    // A state that is over before is no pause.
    const isPause = (fact: TimeRange) => overlaps(span, fact) && span.toSeconds >= fact.toSeconds;
    const pause = span.state === 'unknown' && pauses.find(isPause);
    if (!pause) return [span];
    const toSeconds = Math.min(span.toSeconds, pause.fromSeconds);
    return span.fromSeconds < toSeconds ? [{ ...span, toSeconds }] : [];
  });
}

function overlaps(a: TimeRange, b: TimeRange): boolean {
  return a.fromSeconds < b.toSeconds && a.toSeconds > b.fromSeconds;
}
