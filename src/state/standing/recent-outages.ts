import type { TimeRange } from '../../domain/interval.ts';
import { lastOutages, type OutageNote } from '../../slo/last-outages.ts';
import { maintenanceShareOf } from '../../slo/maintenance-share.ts';
import type { ItemStates } from '../../slo/reported-states.ts';
import { union } from '../../tally/maintenance-tally.ts';
import type { StateTotals } from '../items/totals.ts';
import type { RecentOutage, ShownOutage } from '../snapshot.ts';

/** The numbers of recent outages that are shown for an account, and for one item. */
export const recentOutagesOfAccount = 100;
export const recentOutagesOfItem = 10;

/** A check or a transaction that may have outages. UNIX seconds. */
export interface FailedItem extends Pick<RecentOutage, 'kind' | 'id' | 'name'> {
  /** None of its outages began later. */
  readonly latestSeconds: number;
  /** Computed for the items with the newest outages alone. */
  readonly states: () => ItemStates;
  readonly notes?: readonly OutageNote[] | undefined;
  readonly maintenance: readonly TimeRange[];
}

export type ListedRange = readonly [from: number | undefined, to: number | undefined];

/** The facts of an item that show how late its newest outage can have begun. UNIX seconds. */
interface LatestFacts {
  readonly totals: StateTotals;
  /** The last outage of the entry in the list, open or closed. */
  readonly listed: ListedRange;
  readonly open: ShownOutage | undefined;
}

/** The latest start that an outage of the item can have; undefined if it never failed, as most. */
export function latestOutageSeconds(facts: LatestFacts): number | undefined {
  const { states, log } = facts.totals;
  const [fromSeconds = 0, toSeconds = 0] = facts.listed;
  const { open, sinceSeconds, seenAtSeconds } = facts.open ?? {};
  const isDown = states.state === 'down';
  const isListed = Math.max(fromSeconds, toSeconds) > states.horizonSeconds;
  if (log === undefined && !isDown && !isListed && !open) return undefined;
  const counted = log?.changes.times[log.changes.states.lastIndexOf('down')] ?? 0;
  const begins = isDown && log?.changes.at(-1)?.state !== 'down' ? states.horizonSeconds : 0;
  const opened = open ? (sinceSeconds ?? seenAtSeconds ?? 0) : 0;
  return Math.max(counted, begins, fromSeconds, opened);
}

/**
 * The newest outages of an account, newest first, including those in maintenance. Some were shown
 * by lists; others were found only afterwards, by a report or by results.
 */
export function newestOutages(items: Iterable<FailedItem>): readonly RecentOutage[] {
  const latestFirst = [...items].sort((a, b) => b.latestSeconds - a.latestSeconds);
  let newest: readonly RecentOutage[] = [];
  for (const item of latestFirst) {
    const oldest = newest[recentOutagesOfAccount - 1];
    if (oldest !== undefined && oldest.fromSeconds > item.latestSeconds) break;
    newest = [...newest, ...outagesOf(item)]
      .sort((a, b) => b.fromSeconds - a.fromSeconds || a.id - b.id)
      .slice(0, recentOutagesOfAccount);
  }
  return newest;
}

function outagesOf(item: FailedItem): readonly RecentOutage[] {
  const { kind, id, name, notes } = item;
  const states = item.states();
  const planned = union(item.maintenance);
  const newest = lastOutages(states, notes).slice(0, recentOutagesOfItem);
  return newest.map((outage) => {
    const maintenance = maintenanceShareOf(states, outage, planned);
    return { kind, id, name, ...outage, maintenance };
  });
}
