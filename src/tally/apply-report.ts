import type { MonitoredState, StateSpan } from '../domain/interval.ts';
import { advance, type Horizon } from './advance.ts';
import type { StateTally } from './state-tally.ts';

export interface StateUpdate {
  readonly tally: StateTally;
  /** What was recorded, oldest first, without gaps; empty when nothing was. */
  readonly recorded: readonly StateSpan[];
}

/**
 * Applies the states of an outage report (API 3.1, section 2.9) up to `horizon`, which a list read before the
 * report was asked for has shown to be final. Time the report does not cover is unmonitored; what
 * lies outside is cut off. A report that comes after the horizon has passed it changes nothing.
 */
export function applyReport(
  tally: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  horizon: Horizon,
): StateUpdate {
  if (horizon.atSeconds <= tally.horizonSeconds) return { tally, recorded: [] };
  const tested = withoutPauses(tally, states, horizon);
  const recorded = fillSpans(tested, tally.horizonSeconds, horizon.atSeconds);
  return { tally: advance(tally, recorded, stateReported(tested, horizon)), recorded };
}

/**
 * A report may show a pause as unknown. Where the list has shown that the check was paused, at the tally's
 * horizon or at the new one, it is time in which nothing was monitored.
 */
function withoutPauses(
  { state, horizonSeconds }: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  horizon: Horizon,
): readonly StateSpan<MonitoredState>[] {
  const pausedAt = [
    ...(state === 'unmonitored' ? [horizonSeconds] : []),
    ...(horizon.state === 'unmonitored' ? [horizon.atSeconds] : []),
  ];
  if (pausedAt.length === 0) return states;
  const last = states.at(-1);
  return states.filter((span) => {
    const { fromSeconds, toSeconds } = span;
    const holds = (at: number) =>
      fromSeconds <= at && (at < toSeconds || (at === toSeconds && span === last));
    return span.state !== 'unknown' || !pausedAt.some(holds);
  });
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
