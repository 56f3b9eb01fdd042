import { humanizeDuration } from '../../lib/format-duration.ts';
import type { LastOutage } from '../../slo/last-outages.ts';
import { isBeginning } from '../../slo/state-log.ts';
import { type Item, itemPastOf, itemStatesOf } from './items.ts';

/** A start: exactly at a time or, if unknown, at or before it. The service's UNIX seconds. */
export interface Beginning {
  readonly atSeconds: number;
  readonly isExact: boolean;
}

/**
 * Returns the start of the current outage: from the list or a report, otherwise some time before it
 * was first seen. Returns undefined for an item that is not down, and for a failure without a time
 * in the list.
 */
export function beginningOf(item: Item): Beginning | undefined {
  if (item.state !== 'down' && item.state !== 'unconfirmed_down') return undefined;
  const { outage } = item;
  const since = (outage?.open === true ? outage.sinceSeconds : undefined) ?? listedSince(item);
  if (since !== undefined) return { atSeconds: since, isExact: true };
  if (item.state !== 'down') return undefined;
  const [last] = itemPastOf(item)?.outages ?? [];
  if (last !== undefined && last.toSeconds === undefined) return beginningOfOutage(last);
  const seen = outage?.open === true ? outage.seenAtSeconds : undefined;
  return seen === undefined ? undefined : { atSeconds: seen, isExact: false };
}

/** Returns the start of the current state, whichever it is. */
export function stateBeginning(item: Item): Beginning | undefined {
  return beginningOf(item) ?? sinceByLog(item);
}

export function beginningOfOutage({ fromSeconds, beganBefore }: LastOutage): Beginning {
  return { atSeconds: fromSeconds, isExact: beganBefore !== true };
}

/** Ignores the start of an outage that has ended. */
function listedSince(item: Item): number | undefined {
  const [start, end] = item.listedOutage;
  return start !== undefined && end !== undefined && end > start ? undefined : start;
}

/** Returns the time since a start: `11 min 4 s`, or `more than 11 min 4 s`. */
export function lengthText({ atSeconds, isExact }: Beginning, untilSeconds: number): string {
  const length = humanizeDuration(Math.max(0, untilSeconds - atSeconds));
  return isExact ? length : `more than ${length}`;
}

const talliedStateOf = {
  up: 'up',
  down: 'down',
  unconfirmed_down: 'up',
  unknown: 'unknown',
  paused: 'unmonitored',
} as const;

function sinceByLog(item: Item): Beginning | undefined {
  const log = itemStatesOf(item)?.known.log;
  if (log === undefined || item.state === 'unconfirmed_down') return undefined;
  const last = log.changes.at(-1);
  const [, end = 0] = item.listedOutage;
  // The list shows the end of an outage before it is counted.
  if (item.state === 'up' && last !== undefined && end > last.fromSeconds) {
    return { atSeconds: end, isExact: true };
  }
  if (last?.state !== talliedStateOf[item.state]) return undefined;
  return { atSeconds: last.fromSeconds, isExact: isBeginning(log, last.fromSeconds) };
}
