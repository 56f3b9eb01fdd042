import type { TimeRange } from '../../domain/interval.ts';
import { lastOutages, type OutageNote } from '../../slo/last-outages.ts';
import { maintenanceShare } from '../../slo/maintenance-share.ts';
import type { ItemStates } from '../../slo/reported-states.ts';
import { union } from '../../tally/maintenance-tally.ts';
import type { StateTotals } from '../items/totals.ts';
import type { RecentOutage, ShownOutage } from '../snapshot.ts';

/** The numbers of recent outages that are shown for an account, and for one item. */
export const recentOutagesOfAccount = 100;
export const recentOutagesOfItem = 10;

/** The data of a check or a transaction from which its outages are computed. UNIX seconds. */
export interface OutageSource {
  readonly kind: RecentOutage['kind'];
  readonly id: number;
  readonly name: string;
  readonly states: ItemStates;
  readonly notes?: readonly OutageNote[] | undefined;
  readonly maintenance: readonly TimeRange[];
}

/** An item that may have outages. None of them began after `latestSeconds`. */
export interface OutageCandidate {
  readonly latestSeconds: number;
  readonly source: () => OutageSource;
}

/** The last outage of an entry in a list, open or closed. UNIX seconds. */
export interface ListedOutage {
  readonly startSeconds: number | undefined;
  readonly endSeconds: number | undefined;
}

/** The facts of an item that show how late its newest outage can have begun. UNIX seconds. */
interface LatestFacts {
  readonly totals: StateTotals;
  readonly listed: ListedOutage;
  readonly open: ShownOutage | undefined;
}

/** The latest start that an outage of the item can have; undefined if it never failed, as most. */
export function latestOutageSeconds(facts: LatestFacts): number | undefined {
  const { states, log } = facts.totals;
  const { startSeconds = 0, endSeconds = 0 } = facts.listed;
  const { open, sinceSeconds, seenAtSeconds } = facts.open ?? {};
  const isDown = states.state === 'down';
  const isListed = Math.max(startSeconds, endSeconds) > states.horizonSeconds;
  if (log === undefined && !isDown && !isListed && !open) return undefined;
  const counted = log?.changes.times[log.changes.states.lastIndexOf('down')] ?? 0;
  const begins = isDown && log?.changes.at(-1)?.state !== 'down' ? states.horizonSeconds : 0;
  const opened = open ? (sinceSeconds ?? seenAtSeconds ?? 0) : 0;
  return Math.max(counted, begins, startSeconds, opened);
}

/**
 * The newest outages of an account, newest first, including those in maintenance. Some were shown
 * by lists; others were found only afterwards, by a report or by results.
 */
export function newestOutages(candidates: Iterable<OutageCandidate>): readonly RecentOutage[] {
  const latestFirst = [...candidates].sort((a, b) => b.latestSeconds - a.latestSeconds);
  let newest: readonly RecentOutage[] = [];
  for (const { latestSeconds, source } of latestFirst) {
    const oldest = newest[recentOutagesOfAccount - 1];
    if (oldest !== undefined && oldest.fromSeconds > latestSeconds) break;
    newest = [...newest, ...outagesOf(source())]
      .sort((a, b) => b.fromSeconds - a.fromSeconds || a.id - b.id)
      .slice(0, recentOutagesOfAccount);
  }
  return newest;
}

function outagesOf(source: OutageSource): readonly RecentOutage[] {
  const { kind, id, name, states, notes, maintenance } = source;
  const planned = union(maintenance);
  const newest = lastOutages(states, notes).slice(0, recentOutagesOfItem);
  return newest.map((outage) => {
    const { fromSeconds, toSeconds = Math.max(fromSeconds + 1, states.endSeconds) } = outage;
    const share = maintenanceShare({ fromSeconds, toSeconds }, planned);
    return { kind, id, name, ...outage, maintenance: share };
  });
}
