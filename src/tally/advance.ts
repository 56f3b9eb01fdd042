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

/** The tally after the time up to a new horizon is recorded. */
export function advance(tally: StateTally, horizon: Horizon): StateTally {
  const { reportUntilSeconds } = tally;
  const facts = tally.facts?.flatMap((fact) => factsAfter(fact, horizon.atSeconds));
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
  if (facts !== undefined && facts.length > 0) next.facts = facts;
  if (horizon.isReported) next.isReported = true;
  return next;
}

function factsAfter(fact: ListedFact, horizonSeconds: number): readonly ListedFact[] {
  const { kind, fromSeconds, toSeconds } = fact;
  switch (kind) {
    case 'absence':
      return toSeconds > horizonSeconds ? [fact] : [];
    case 'paused':
      // It may go on until the horizon is past its list.
      return toSeconds >= horizonSeconds ? [fact] : [];
    case 'untested':
      if (toSeconds <= horizonSeconds) return [];
      return [{ ...fact, fromSeconds: Math.max(fromSeconds, horizonSeconds) }];
    default:
      // A failure before the horizon is counted.
      return fromSeconds >= horizonSeconds ? [fact] : [];
  }
}
