import type { MonitoredState, StateSpan } from '../domain/interval.ts';
import { advance, type Horizon } from './advance.ts';
import { neighbouringTests } from './list-evidence.ts';
import type { StateTally } from './state-tally.ts';

export interface StateUpdate {
  readonly tally: StateTally;
  /** What was recorded, oldest first, without gaps; empty when nothing was. */
  readonly recorded: readonly StateSpan[];
}

/**
 * Applies the states of an outage report (API 3.1, section 2.9) up to `horizon`, which a list read before the
 * report was asked for has shown to be final, or up to the last test while it is in doubt what came after. Time the report does not cover is
 * unmonitored; what lies outside is cut off. A report that comes after the horizon has passed it changes nothing.
 */
export function applyReport(
  tally: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  horizon: Horizon,
): StateUpdate {
  const certain = certainHorizon(tally, states, horizon);
  if (certain.atSeconds <= tally.horizonSeconds) return { tally, recorded: [] };
  const tested = withoutPauses(tally, states, certain);
  const recorded = fillSpans(tested, tally.horizonSeconds, certain.atSeconds);
  return { tally: advance(tally, recorded, stateReported(tested, certain)), recorded };
}

/**
 * When a check was unknown at its last test and paused before the next one, a short unknown span may be the state that the
 * pause ended, or the pause itself. The next report settles which; until then only the time up to the last test is certain.
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
  // What begins at the tally's horizon may only be cut off there.
  const wasUnknown = tally.state === 'unknown' && span.fromSeconds <= tally.horizonSeconds;
  if (span.fromSeconds >= testedAtSeconds && !wasUnknown) return horizon;
  const nextTestSeconds = testedAtSeconds + neighbouringTests * resolutionSeconds;
  if (span.toSeconds > nextTestSeconds) return horizon;
  return { ...horizon, atSeconds: testedAtSeconds, state: 'unknown' };
}

/**
 * A report may show a pause as unknown. Where the list has shown that the check was paused, at the tally's
 * horizon or at the new one, it is time in which nothing was monitored: all of it after the last test.
 */
function withoutPauses(
  { state, horizonSeconds }: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  horizon: Horizon,
): readonly StateSpan<MonitoredState>[] {
  const isPausedBefore = unknownAt(horizonSeconds, states);
  const isPausedNow = unknownAt(horizon.atSeconds, states);
  const { testedAtSeconds = Number.NEGATIVE_INFINITY } = horizon;
  return states.flatMap((span) => {
    if (state === 'unmonitored' && isPausedBefore(span)) return [];
    if (horizon.state !== 'unmonitored' || !isPausedNow(span)) return [span];
    if (span.fromSeconds >= testedAtSeconds) return [];
    return [{ ...span, toSeconds: testedAtSeconds }];
  });
}

/** Whether a span is the unknown state at a moment. The last span of a report holds at its end, too. */
function unknownAt(atSeconds: number, states: readonly StateSpan<MonitoredState>[]) {
  const last = states.at(-1);
  return (span: StateSpan<MonitoredState>): boolean => {
    const { state, fromSeconds, toSeconds } = span;
    const isWithin = atSeconds < toSeconds || (atSeconds === toSeconds && span === last);
    return state === 'unknown' && fromSeconds <= atSeconds && isWithin;
  };
}

/** A pause that the list showed may have begun after the horizon; the report tells. */
function stateReported(states: readonly StateSpan<MonitoredState>[], horizon: Horizon): Horizon {
  if (horizon.state !== 'unmonitored') return horizon;
  const at = horizon.atSeconds;
  const span = states.find(({ fromSeconds, toSeconds }) => fromSeconds <= at && at < toSeconds);
  return span === undefined ? horizon : { ...horizon, state: span.state };
}

/** The states that fill the time without a gap. Where they overlap, the one that begins first holds. */
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
