import type { TalliedState } from '../domain/interval.ts';
import type { Mutable } from '../lib/present.ts';
import type { ListedFact, StateTally } from './state-tally.ts';

/** A time up to which states can be recorded, and the state at that time. */
export interface Horizon {
  readonly atSeconds: number;
  readonly state: TalliedState;
  readonly resolutionSeconds?: number;
  /** The state is known only from a report: no list has shown a test at this time. */
  readonly isReported?: boolean;
}

const withoutTest: ReadonlySet<ListedFact['kind']> = new Set(['paused', 'untested']);

/** The tally after the time up to a new horizon is recorded. */
export function advance(tally: StateTally, horizon: Horizon): StateTally {
  const { reportUntilSeconds, unknownUntilSeconds, pausedSinceSeconds } = tally;
  // A failure before the horizon is counted. What has no test may go on until the horizon is past
  // its list.
  const facts = tally.facts?.filter(({ kind, fromSeconds, toSeconds }) => {
    if (kind === 'absence') return toSeconds > horizon.atSeconds;
    return withoutTest.has(kind)
      ? toSeconds >= horizon.atSeconds
      : fromSeconds >= horizon.atSeconds;
  });
  const { resolutionSeconds } = horizon;
  // Assigned one by one: a list advances every check, and spreading costs several times as much.
  const next: Mutable<StateTally> = {
    startSeconds: tally.startSeconds,
    horizonSeconds: horizon.atSeconds,
    state: horizon.state,
  };
  if (resolutionSeconds !== undefined) next.resolutionSeconds = resolutionSeconds;
  if (reportUntilSeconds !== undefined && reportUntilSeconds > horizon.atSeconds) {
    next.reportUntilSeconds = reportUntilSeconds;
  }
  if (unknownUntilSeconds !== undefined && unknownUntilSeconds > horizon.atSeconds) {
    next.unknownUntilSeconds = unknownUntilSeconds;
  }
  if (pausedSinceSeconds !== undefined) next.pausedSinceSeconds = pausedSinceSeconds;
  if (facts !== undefined && facts.length > 0) next.facts = facts;
  if (horizon.isReported) next.isReported = true;
  return next;
}
