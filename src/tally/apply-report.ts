import type { MonitoredState, StateSpan, TimeRange } from '../domain/interval.ts';
import { advance, type Horizon } from './advance.ts';
import type { StateTally } from './state-tally.ts';

export interface StateUpdate {
  readonly tally: StateTally;
  /** The recorded spans, oldest first, without gaps; empty if nothing was recorded. */
  readonly recorded: readonly StateSpan[];
  /**
   * Parts of it that are not watched: for a day, their reports could not be read, or the check was
   * unknown and no list showed a test.
   */
  readonly unread?: readonly TimeRange[] | undefined;
}

/**
 * Applies the states of an outage report (API 3.1, section 2.9) up to `horizon`. A list that was
 * read before the report was requested has shown that the states up to there are final. Time that
 * the report does not cover counts as unmonitored, and states outside the range are cut off. If the
 * tally has already passed the horizon, nothing changes.
 */
export function applyReport(
  tally: StateTally,
  states: readonly StateSpan<MonitoredState>[],
  horizon: Horizon,
): StateUpdate {
  if (horizon.atSeconds <= tally.horizonSeconds) return { tally, recorded: [] };
  const recorded = fillSpans(states, tally.horizonSeconds, horizon.atSeconds);
  return { tally: advance(tally, stateReported(states, horizon)), recorded };
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
