import type { TimeRange } from '../../domain/interval.ts';
import { overSeconds } from '../../slo/outages.ts';
import { openOutage } from '../../slo/state-log.ts';
import { subtract } from '../../tally/maintenance-tally.ts';
import type { StateTotals } from '../items/totals.ts';

/** The place at an item. */
export interface LastOutageItem {
  lastOutageUntilSeconds: number | undefined;
}

/**
 * The start of the last closed outage of each item, for 24 hours after its end. It comes from the
 * counted states, because these also have outages that no list has shown. Times are UNIX seconds.
 */
export class LastOutageStarts {
  /** The time at which the next one expires; Infinity if there is none. */
  #expireAtSeconds = Number.POSITIVE_INFINITY;
  #nowSeconds = 0;

  /** Drops outages that ended 24 hours ago. Calls `expired` for their items. */
  move<I extends LastOutageItem>(
    nowSeconds: number,
    items: Iterable<I>,
    expired: (item: I) => void,
  ): void {
    this.#nowSeconds = nowSeconds;
    if (nowSeconds < this.#expireAtSeconds) return;
    this.#expireAtSeconds = Number.POSITIVE_INFINITY;
    for (const item of items) {
      const untilSeconds = item.lastOutageUntilSeconds;
      if (untilSeconds === undefined) continue;
      if (untilSeconds > nowSeconds) {
        this.#expireAtSeconds = Math.min(this.#expireAtSeconds, untilSeconds);
        continue;
      }
      item.lastOutageUntilSeconds = undefined;
      expired(item);
    }
  }

  of(
    item: LastOutageItem,
    totals: StateTotals,
    maintenance: readonly TimeRange[],
  ): number | undefined {
    const outage = lastEndedOutage(totals, maintenance, this.#nowSeconds - overSeconds);
    if (outage === undefined) {
      item.lastOutageUntilSeconds = undefined;
      return undefined;
    }
    const untilSeconds = outage.toSeconds + overSeconds;
    item.lastOutageUntilSeconds = untilSeconds;
    this.#expireAtSeconds = Math.min(this.#expireAtSeconds, untilSeconds);
    return outage.fromSeconds;
  }
}

/**
 * The last outage that ended after `endedAfterSeconds`, began after first sight, and was partly
 * outside maintenance.
 */
function lastEndedOutage(
  totals: StateTotals,
  maintenance: readonly TimeRange[],
  endedAfterSeconds: number,
): TimeRange | undefined {
  const { states, log } = totals;
  if (log === undefined) return undefined;
  // From the newest change on, because a list asks for every item, and most changes are older.
  let toSeconds = states.horizonSeconds;
  let isOpen = openOutage(totals) !== undefined;
  const { states: all, times } = log.changes;
  for (let place = times.length - 1; place >= 0; place--) {
    const [state, fromSeconds = 0] = [all[place], times[place]];
    if (toSeconds <= endedAfterSeconds || fromSeconds <= states.startSeconds) return undefined;
    const outage = { fromSeconds, toSeconds };
    if (state === 'down' && !isOpen && subtract([outage], maintenance).length > 0) return outage;
    isOpen = false;
    toSeconds = fromSeconds;
  }
  return undefined;
}
