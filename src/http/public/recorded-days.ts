import type { TimeRange } from '../../domain/interval.ts';
import type { RecordedMonth } from '../ports.ts';
import type { PastBar } from '../views/past-bars.ts';

/**
 * With at most this much time unknown or not monitored in a month, every day of it counts as up
 * outside outages: less than a tenth of a day can be wrong. In seconds.
 */
const mostUnplacedSeconds = 8_640;

/** Adds a recorded month to days. Of a month with more unplaced time, only outages are added. */
export function addMonth(days: readonly PastBar[], month: RecordedMonth): void {
  const isPlaced = month.unplacedSeconds <= mostUnplacedSeconds;
  for (const day of days) {
    for (const known of month.known) {
      const within = overlap(day, known);
      if (within === undefined) continue;
      let rest = within.toSeconds - within.fromSeconds;
      for (const { isPlanned, ...outage } of month.outages) {
        const down = overlap(within, outage);
        if (down === undefined) continue;
        const seconds = down.toSeconds - down.fromSeconds;
        rest -= seconds;
        if (!isPlanned) day.seconds.down += seconds;
        else {
          day.maintenance.known += seconds;
          day.maintenance.down += seconds;
        }
      }
      if (isPlaced) day.seconds.up += rest;
    }
  }
}

function overlap(a: TimeRange, b: TimeRange): TimeRange | undefined {
  const fromSeconds = Math.max(a.fromSeconds, b.fromSeconds);
  const toSeconds = Math.min(a.toSeconds, b.toSeconds);
  return fromSeconds < toSeconds ? { fromSeconds, toSeconds } : undefined;
}
