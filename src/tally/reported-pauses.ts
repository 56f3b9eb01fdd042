import type { Check } from '../domain/check.ts';
import type { MonitoredState, StateSpan, TimeRange } from '../domain/interval.ts';
import { subtract } from './maintenance-tally.ts';
import type { ListedFact, StateTally } from './state-tally.ts';

/**
 * The states without those that a report shows as unknown although a list has shown a pause: from
 * the last test before the pause on, such a time is unmonitored. So is the rest of a pause that is
 * counted up to the horizon. A test that a list has shown as unknown ends a pause.
 */
export function withoutListedPauses(
  tally: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  isReadable: boolean,
): readonly StateSpan<MonitoredState>[] {
  const { facts = [], horizonSeconds } = tally;
  const pauses = listedPauses(tally);
  if (pauses.length === 0) return states;
  return states.flatMap((span) => {
    const isPause = (fact: TimeRange) =>
      touches(span, fact) &&
      // A state that is over before the list was read is no pause.
      span.toSeconds > fact.toSeconds &&
      // A gap before it is the pause itself, unless states cannot be read: they leave gaps, too.
      (!isReadable ||
        span.toSeconds < firstGap(states, Math.max(fact.fromSeconds, horizonSeconds)));
    if (span.state !== 'unknown') return [span];
    const own = pauses
      .filter(isPause)
      .map((pause) => ({ ...pause, toSeconds: unknownFrom(pause, facts) }));
    return subtract([span], own).map((range) => ({ ...range, state: span.state }));
  });
}

/**
 * When the unknown state began in which a report ends, if it may be a listed pause and the next
 * report may have another end of it: this one does not go beyond the list that has shown the pause, or
 * an unknown state may have followed that reports show only when it is over. Reports are final up
 * to `finalSeconds`.
 */
export function undecidedFrom(
  tally: StateTally,
  items: readonly StateSpan<MonitoredState>[],
  { status, lastTestAtSeconds = 0, resolutionSeconds = 0 }: Check,
  finalSeconds: number,
): number | undefined {
  const last = lastOf(items);
  if (last?.state !== 'unknown') return undefined;
  const isPaused = status === 'paused' && last.toSeconds > lastTestAtSeconds;
  if (isPaused && last.toSeconds <= finalSeconds) return undefined;
  const isOver = last.toSeconds <= finalSeconds - resolutionSeconds;
  const pause = listedPauses(tally).find((one) => {
    if (!touches(last, one)) return false;
    const mayGoOn = unknownFrom(one, tally.facts) > last.toSeconds;
    return one.toSeconds >= last.toSeconds || (mayGoOn && !isPaused && !isOver);
  });
  // What lists have shown up to the horizon is forgotten.
  return pause && Math.min(last.fromSeconds, pause.toSeconds - 1);
}

/** The entry that ends last. */
export function lastOf<S extends TimeRange>(items: readonly S[]): S | undefined {
  return items.reduce<S | undefined>(
    (latest, span) => (latest === undefined || span.toSeconds > latest.toSeconds ? span : latest),
    undefined,
  );
}

/** Whether a state may be a listed pause, which began at the latest in the second of the list. */
function touches(span: TimeRange, pause: TimeRange): boolean {
  return span.fromSeconds <= pause.toSeconds && span.toSeconds > pause.fromSeconds;
}

/** Whether lists have shown a pause that began before this time, and nothing since. */
export function isInListedPause(tally: StateTally, atSeconds: number): boolean {
  const began = listedPauses(tally).map(({ fromSeconds }) => fromSeconds);
  const last = Math.max(...began.filter((fromSeconds) => fromSeconds < atSeconds));
  const isOver = (tally.facts ?? []).some(
    ({ kind, fromSeconds }) =>
      kind !== 'paused' && kind !== 'absence' && fromSeconds > last && fromSeconds <= atSeconds,
  );
  return Number.isFinite(last) && !isOver;
}

/** The pauses that lists have shown, and the last second of one that is counted up to the horizon. */
function listedPauses({ facts = [], state, horizonSeconds }: StateTally): readonly TimeRange[] {
  const pauses: TimeRange[] = facts.filter(({ kind }) => kind === 'paused');
  const rest = { fromSeconds: horizonSeconds - 1, toSeconds: horizonSeconds };
  return state === 'unmonitored' ? [...pauses, rest] : pauses;
}

/** When a list has shown an unknown test after a pause; infinite if none has. */
function unknownFrom(pause: TimeRange, facts: readonly ListedFact[] = []): number {
  const test = facts.find(
    ({ kind, fromSeconds }) => kind === 'unknown' && fromSeconds > pause.fromSeconds,
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

/** From here on, a check that is paused now was not tested; undefined if it is not paused. */
export function notTestedFrom({
  status,
  lastTestAtSeconds = 0,
  resolutionSeconds = 0,
}: Check): number | undefined {
  return status === 'paused' ? lastTestAtSeconds + resolutionSeconds : undefined;
}

/** The first list of the pause of a check that is paused now; without one, when a test was due. */
export function pausedBy({ facts = [] }: StateTally, check: Check): number {
  const { lastTestAtSeconds = 0 } = check;
  const pause = facts.findLast(
    ({ kind, toSeconds }) => kind === 'paused' && toSeconds > lastTestAtSeconds,
  );
  return pause?.toSeconds ?? notTestedFrom(check) ?? Number.POSITIVE_INFINITY;
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
