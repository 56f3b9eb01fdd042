import type { TimeRange } from '../../domain/interval.ts';
import { recentSpans } from '../../tally/recent-changes.ts';
import { overSeconds } from '../../windows/outages.ts';
import type { StateTotals } from '../items/totals.ts';

/**
 * When the last outage of each item that has ended began, for 24 hours after its end. It is read from what is counted, so
 * that an outage which no list has shown counts, too. Times are UNIX seconds.
 */
export class LastOutageStarts {
  readonly #untilSeconds = new Map<number, number>();
  #expireAtSeconds = Number.POSITIVE_INFINITY;
  #nowSeconds = 0;

  /** When time alone changes one of them next; infinity when it does not. */
  get expireAtSeconds(): number {
    return this.#expireAtSeconds;
  }

  /** Calls back with each item whose last outage ended 24 hours ago. Costs nothing while there is none. */
  move(nowSeconds: number, expired: (id: number) => void): void {
    this.#nowSeconds = nowSeconds;
    if (nowSeconds < this.#expireAtSeconds) return;
    this.#expireAtSeconds = Number.POSITIVE_INFINITY;
    for (const [id, untilSeconds] of this.#untilSeconds) {
      if (untilSeconds > nowSeconds) {
        this.#expireAtSeconds = Math.min(this.#expireAtSeconds, untilSeconds);
        continue;
      }
      this.#untilSeconds.delete(id);
      expired(id);
    }
  }

  of(id: number, totals: StateTotals, maintenance: readonly TimeRange[]): number | undefined {
    const outage = lastEndedOutage(totals, maintenance);
    const untilSeconds = outage && outage.toSeconds + overSeconds;
    if (untilSeconds === undefined || untilSeconds <= this.#nowSeconds) {
      this.#untilSeconds.delete(id);
      return undefined;
    }
    this.#untilSeconds.set(id, untilSeconds);
    this.#expireAtSeconds = Math.min(this.#expireAtSeconds, untilSeconds);
    return outage?.fromSeconds;
  }

  forget(id: number): void {
    this.#untilSeconds.delete(id);
  }
}

/** Of the outages that began after the item was first seen, and that do not lie in maintenance as a whole. */
function lastEndedOutage(
  totals: StateTotals,
  maintenance: readonly TimeRange[],
): TimeRange | undefined {
  if (totals.recent === undefined) return undefined;
  const { startSeconds, horizonSeconds, inOutage } = totals.states;
  return recentSpans(totals).findLast(
    ({ state, fromSeconds, toSeconds }) =>
      state === 'down' &&
      fromSeconds > startSeconds &&
      !(inOutage && toSeconds === horizonSeconds) &&
      !maintenance.some(
        (occurrence) => occurrence.fromSeconds <= fromSeconds && toSeconds <= occurrence.toSeconds,
      ),
  );
}
