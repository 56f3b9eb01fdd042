import type { StateSpan, TalliedState } from '../domain/interval.ts';
import type { Mutable } from '../lib/present.ts';
import { addSpans, type StateTally } from './state-tally.ts';

/** A time up to which states can be recorded, and the state at that time. */
export interface Horizon {
  readonly atSeconds: number;
  readonly state: TalliedState;
  readonly resolutionSeconds?: number;
  /** The state is known only from a report: no list has shown a test at this time. */
  readonly isReported?: boolean;
  /** Only for a paused check: the time of its last test before the pause. */
  readonly testedAtSeconds?: number;
}

interface OpenOutage {
  /** Absent if the outage was already open at the tally's start and its start is unknown. */
  readonly sinceSeconds?: number;
}

/** Records spans, which fill the time from the tally's horizon to the new one. */
export function advance(
  tally: StateTally,
  spans: readonly StateSpan[],
  horizon: Horizon,
): StateTally {
  let { outages, lastOutageSeconds } = tally;
  let open: OpenOutage | undefined;
  if (tally.inOutage) {
    const since = tally.outageSinceSeconds;
    open = since === undefined ? {} : { sinceSeconds: since };
  }
  const close = (atSeconds: number) => {
    if (open?.sinceSeconds !== undefined) lastOutageSeconds = atSeconds - open.sinceSeconds;
    open = undefined;
  };
  for (const { state, fromSeconds } of spans) {
    if (state !== 'down') {
      close(fromSeconds);
    } else if (open === undefined) {
      // An outage that seems to begin exactly at the tally's start may be older: the report begins
      // there.
      const began = fromSeconds > tally.startSeconds;
      if (began) outages += 1;
      open = began ? { sinceSeconds: fromSeconds } : {};
    }
  }
  if (horizon.state === 'up') close(horizon.atSeconds);
  const { reportUntilSeconds } = tally;
  const facts = tally.facts?.filter(({ fromSeconds }) => fromSeconds >= horizon.atSeconds);
  const { resolutionSeconds } = horizon;
  // Assigned one by one: a list advances every check, and spreading costs several times as much.
  const next: Mutable<StateTally> = {
    startSeconds: tally.startSeconds,
    horizonSeconds: horizon.atSeconds,
    seconds: addSpans(tally.seconds, spans),
    outages,
    state: horizon.state,
    inOutage: open !== undefined,
  };
  if (open?.sinceSeconds !== undefined) next.outageSinceSeconds = open.sinceSeconds;
  if (lastOutageSeconds !== undefined) next.lastOutageSeconds = lastOutageSeconds;
  if (resolutionSeconds !== undefined) next.resolutionSeconds = resolutionSeconds;
  if (reportUntilSeconds !== undefined && reportUntilSeconds > horizon.atSeconds) {
    next.reportUntilSeconds = reportUntilSeconds;
  }
  if (facts !== undefined && facts.length > 0) next.facts = facts;
  if (horizon.isReported) next.isReported = true;
  return next;
}
