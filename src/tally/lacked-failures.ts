import type { Check } from '../domain/check.ts';
import { type MonitoredState, overlaps, type StateSpan } from '../domain/interval.ts';
import { neighbouringTests } from './list-evidence.ts';
import { isFailure, isUndated, lastFailure } from './listed-facts.ts';
import { subtract } from './maintenance-tally.ts';
import { lastOf } from './reported-pauses.ts';
import type { ListedFact, StateTally } from './state-tally.ts';

/** The failures that a report does not show, oldest first. */
export function lackedFailures(
  { facts = [] }: StateTally,
  states: readonly StateSpan<MonitoredState>[],
): ListedFact[] {
  const down = states.filter(({ state }) => state === 'down');
  return facts
    .filter(isFailure)
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
  const listed = [...facts, ...lastFailure(check, horizonSeconds)].filter(
    (fact) => isFailure(fact) && fact.kind !== 'failed',
  );
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
 * The time up to which a report without this failure has all earlier ones. Lists show only the last
 * outage, and a failed test is an outage only when the next test confirms it, which may be late: an
 * earlier outage may have begun within that time before the end of a report that ends up.
 */
export function confirmedUntil(
  { fromSeconds }: ListedFact,
  items: readonly StateSpan<MonitoredState>[],
  tally: StateTally,
  check: Check,
): number {
  const last = lastOf(items);
  const end = last?.toSeconds ?? 0;
  if (last?.state !== 'up' || end >= fromSeconds) return end;
  const longest = Math.max(tally.resolutionSeconds ?? 0, check.resolutionSeconds ?? 0);
  return Math.max(last.fromSeconds, end - Math.ceil(neighbouringTests * longest));
}
