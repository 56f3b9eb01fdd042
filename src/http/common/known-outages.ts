import type { LastOutage } from '../../slo/last-outages.ts';
import type { AccountStatus } from '../ports.ts';
import { doneText } from './done-text.ts';
import { firstSightText } from './first-sight-text.ts';
import { type Item, isStale, itemPastOf, serviceNow } from './items.ts';
import { outagesOfItem } from './outage-list.ts';
import { hidesItems } from './shown-lists.ts';

interface LastOutageOf {
  readonly item: Item;
  readonly outage: LastOutage;
  /** The number of further outages within the day before it. */
  readonly others: number;
}

const daySeconds = 86_400;

/** The last known outages of an item, newest first, with their causes. `outagesOfItem` has those of a period. */
export function lastOutagesOfItem(item: Item): readonly LastOutage[] {
  return itemPastOf(item)?.outages ?? [];
}

/** Returns the last known outage of each item, newest first, at most `count`. */
export function lastOutagesOf(items: readonly Item[], count: number): LastOutageOf[] {
  const failed = items
    .map((item) => ({ item, notAfter: latestBeginOf(item) }))
    .filter(({ notAfter }) => notAfter > 0)
    .sort((a, b) => b.notAfter - a.notAfter);
  let found: Pick<LastOutageOf, 'item' | 'outage'>[] = [];
  for (const { item, notAfter } of failed) {
    // No outage of this item or of the following ones began later than this.
    if ((found[count - 1]?.outage.fromSeconds ?? 0) >= notAfter) break;
    const [outage] = lastOutagesOfItem(item);
    if (outage === undefined) continue;
    found.push({ item, outage });
    found.sort((a, b) => b.outage.fromSeconds - a.outage.fromSeconds);
    if (found.length > count) found = found.slice(0, count);
  }
  return found.map(({ item, outage }) => ({ item, outage, others: othersBefore(item, outage) }));
}

/** The number of outages that began within the day before another one. */
function othersBefore(item: Item, { fromSeconds: toSeconds }: LastOutage): number {
  const fromSeconds = toSeconds - daySeconds;
  const before = outagesOfItem(item, { fromSeconds, toSeconds }, toSeconds);
  return before.filter(({ outage }) => outage.fromSeconds > fromSeconds).length;
}

/** No outage of the item began later than this; 0 if it has never failed. */
function latestBeginOf({ state, outage, listedOutage, lastErrorAtSeconds = 0 }: Item): number {
  if (state === 'down' || outage?.open === true) return Number.MAX_SAFE_INTEGER;
  const [startSeconds = 0, endSeconds = 0] = listedOutage;
  return Math.max(lastErrorAtSeconds, startSeconds, endSeconds);
}

/** The text if no outage is known. It says "none" only when every past is read. */
export function noOutagesText(accounts: readonly AccountStatus[], nowSeconds: number): string {
  const missing = missingOutagesText(accounts, nowSeconds);
  if (missing !== undefined) return `No outage is known yet. ${missing}`;
  return 'No known outages in the last 35 days.';
}

/** Returns why outages may be missing: unread pasts, and lists that are unread or stale. */
export function missingOutagesText(
  accounts: readonly AccountStatus[],
  nowSeconds: number,
): string | undefined {
  const reasons = accounts.flatMap((status) => {
    const { account } = status.snapshot;
    const list = `A list of the account ${account} is unread or too old: newer outages are not known.`;
    const past = firstSightText(status, nowSeconds);
    const whose = accounts.length > 1 ? `Account ${account}: ` : '';
    return [...(past === undefined ? [] : [whose + past]), ...(hidesItems(status) ? [list] : [])];
  });
  return reasons.length === 0 ? undefined : reasons.join(' ');
}

/** Returns the text if no outage of one item is known. */
export function noOutagesOfItemText(item: Item, nowSeconds: number): string {
  if (item.state === 'down') return 'The open outage has not been read yet.';
  if (itemPastOf(item)?.isPartial !== true) {
    return isStale(item)
      ? 'No outage was known when the list was last read.'
      : 'No known outages in the last 35 days.';
  }
  const done = doneText(item.status.firstSight, serviceNow(item.status, nowSeconds));
  return `No outage is known yet: the past of this ${item.kind} has not been read${done}.`;
}
