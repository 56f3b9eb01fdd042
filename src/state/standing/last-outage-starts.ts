import type { TimeRange } from '../../domain/interval.ts';
import { overSeconds } from '../../slo/outages.ts';
import { openOutage, spansOf } from '../../slo/state-log.ts';
import { subtract } from '../../tally/maintenance-tally.ts';
import type { StateTotals } from '../items/totals.ts';

/**
 * The start of the last closed outage of each item, for 24 hours after its end. It comes from the
 * counted states, because these also have outages that no list has shown. Times are UNIX seconds.
 */
export class LastOutageStarts {
  readonly #untilSeconds = new Map<number, number>();
  /** The time at which the next one expires; Infinity if there is none. */
  #expireAtSeconds = Number.POSITIVE_INFINITY;
  #nowSeconds = 0;

  /** Drops outages that ended 24 hours ago. Calls `expired` for their items. */
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

/** The last ended outage that began after first sight and partly outside maintenance. */
function lastEndedOutage(
  totals: StateTotals,
  maintenance: readonly TimeRange[],
): TimeRange | undefined {
  const { states, log } = totals;
  if (log === undefined) return undefined;
  const { startSeconds, horizonSeconds } = states;
  const isOpen = openOutage(totals) !== undefined;
  return spansOf(log.changes, horizonSeconds).findLast(
    ({ state, fromSeconds, toSeconds }) =>
      state === 'down' &&
      fromSeconds > startSeconds &&
      !(isOpen && toSeconds === horizonSeconds) &&
      subtract([{ fromSeconds, toSeconds }], maintenance).length > 0,
  );
}
