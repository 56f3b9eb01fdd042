import type { MonitoredState, StateSpan, TimeRange } from '../domain/interval.ts';
import { advance, type Horizon } from './advance.ts';
import { neighbouringTests } from './list-evidence.ts';
import type { StateTally } from './state-tally.ts';

export interface StateUpdate {
  readonly tally: StateTally;
  /** The recorded spans, oldest first, without gaps; empty if nothing was recorded. */
  readonly recorded: readonly StateSpan[];
  /** Parts of it that are not watched, because their reports could not be read for a day. */
  readonly unread?: readonly TimeRange[] | undefined;
}

/**
 * Applies the states of an outage report (API 3.1, section 2.9) up to `horizon`. A list that was
 * read before the report was requested has shown that the states up to there are final. If it is
 * uncertain what followed the last test, only the time up to that test is recorded. Time that the
 * report does not cover counts as unmonitored, and states outside the range are cut off. If the
 * tally has already passed the horizon, nothing changes. The report was requested from
 * `askedFromSeconds` on: an entry that begins there may be the rest of an older one.
 */
export function applyReport(
  tally: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  horizon: Horizon,
  askedFromSeconds: number,
): StateUpdate {
  const certain = certainHorizon(tally, states, horizon);
  if (certain.atSeconds <= tally.horizonSeconds) return { tally, recorded: [] };
  const tested = withoutPauses(tally, states, certain, askedFromSeconds);
  const recorded = fillSpans(tested, tally.horizonSeconds, certain.atSeconds);
  return { tally: advance(tally, stateReported(tested, certain)), recorded };
}

/**
 * If a check was unknown at its last test and was paused before the next one, a short unknown span
 * is either the state before the pause or the pause itself. The next report shows which. Until
 * then, only the time up to the last test is certain.
 */
function certainHorizon(
  tally: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  horizon: Horizon,
): Horizon {
  const { atSeconds, state, testedAtSeconds, resolutionSeconds = 0 } = horizon;
  if (state !== 'unmonitored' || testedAtSeconds === undefined) return horizon;
  const span = states.find(unknownAt(atSeconds, states));
  if (span === undefined) return horizon;
  // A span that begins at the tally's horizon may be older: the report begins there.
  const wasUnknown = tally.state === 'unknown' && span.fromSeconds <= tally.horizonSeconds;
  if (span.fromSeconds >= testedAtSeconds && !wasUnknown) return horizon;
  const nextTestSeconds = testedAtSeconds + neighbouringTests * resolutionSeconds;
  if (span.toSeconds > nextTestSeconds) return horizon;
  return { ...horizon, atSeconds: testedAtSeconds, state: 'unknown' };
}

/**
 * A report may show a pause as unknown. If a list has shown that the check was paused, at the
 * tally's horizon or at the new one, the unknown time after the last test counts as unmonitored. An
 * entry that certainly begins at the tally's horizon is not the rest of a pause.
 */
function withoutPauses(
  { state, horizonSeconds }: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  horizon: Horizon,
  askedFromSeconds: number,
): readonly StateSpan<MonitoredState>[] {
  const isPausedBefore = unknownAt(horizonSeconds, states);
  const isPausedNow = unknownAt(horizon.atSeconds, states);
  const { testedAtSeconds = Number.NEGATIVE_INFINITY } = horizon;
  return states.flatMap((span) => {
    const mayBeOlder = span.fromSeconds < horizonSeconds || span.fromSeconds <= askedFromSeconds;
    if (state === 'unmonitored' && mayBeOlder && isPausedBefore(span)) return [];
    if (horizon.state !== 'unmonitored' || !isPausedNow(span)) return [span];
    if (span.fromSeconds >= testedAtSeconds) return [];
    return [{ ...span, toSeconds: testedAtSeconds }];
  });
}

/** Returns a predicate: the span is unknown at `atSeconds` (the last one including its end). */
function unknownAt(atSeconds: number, states: readonly StateSpan<MonitoredState>[]) {
  const last = states.at(-1);
  return (span: StateSpan<MonitoredState>): boolean => {
    const { state, fromSeconds, toSeconds } = span;
    const isWithin = atSeconds < toSeconds || (atSeconds === toSeconds && span === last);
    return state === 'unknown' && fromSeconds <= atSeconds && isWithin;
  };
}

/** The report has the state of the horizon, after which a listed pause may have begun. */
function stateReported(states: readonly StateSpan<MonitoredState>[], horizon: Horizon): Horizon {
  if (horizon.state !== 'unmonitored') return horizon;
  const at = horizon.atSeconds;
  const span = states.find(({ fromSeconds, toSeconds }) => fromSeconds <= at && at < toSeconds);
  return span === undefined ? horizon : { ...horizon, state: span.state };
}

/** Fills the range with spans: gaps become unmonitored, and of an overlap the earlier stays. */
export function fillSpans(
  states: readonly StateSpan<MonitoredState>[],
  from: number,
  to: number,
): StateSpan[] {
  const spans: StateSpan[] = [];
  let filledTo = from;
  const fill = (state: StateSpan['state'], until: number) => {
    if (until <= filledTo) return;
    const last = spans.at(-1);
    if (last?.state === state) spans[spans.length - 1] = { ...last, toSeconds: until };
    else spans.push({ state, fromSeconds: filledTo, toSeconds: until });
    filledTo = until;
  };
  for (const span of states.toSorted((a, b) => a.fromSeconds - b.fromSeconds)) {
    const end = Math.min(span.toSeconds, to);
    if (end <= filledTo) continue;
    fill('unmonitored', Math.min(span.fromSeconds, to));
    fill(span.state, end);
  }
  fill('unmonitored', to);
  return spans;
}
