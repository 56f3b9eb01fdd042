import type { Check } from '../../domain/check.ts';
import { unexplainedSince } from '../../slo/first-seen-outage.ts';
import { StateChanges } from '../../slo/state-changes.ts';
import { spansOf } from '../../slo/state-log.ts';
import type { CheckItemDetails } from './check-items.ts';
import type { Details } from './item-rows.ts';
import type { CheckTotals } from './totals.ts';

/** The service analyses an outage within minutes of its confirmation. */
const firstWaitMilliseconds = 300_000;
/** An analysis may be listed this much later than the outage that it is about. */
export const analysesRereadSeconds = 86_400;

interface AwaitingRecord {
  readonly entry: Check;
  readonly totals: CheckTotals;
  readonly details: Details<Pick<CheckItemDetails, 'notes'>>;
}

interface Wait {
  milliseconds: number;
  /** On the monotonic clock. */
  askAt: number;
}

/** Checks with an outage without analysis, which is requested with growing waits for a day. */
export class AwaitedAnalyses {
  readonly #waits = new Map<number, Wait>();

  /** An outage began; `now` is in milliseconds of the monotonic clock. */
  expect(id: number, now: number): void {
    this.#waits.set(id, {
      milliseconds: firstWaitMilliseconds,
      askAt: now + firstWaitMilliseconds,
    });
  }

  /** The checks whose analyses are due. Each is due again until `delete`; `isFirst`: first time. */
  due(now: number): { readonly id: number; readonly isFirst: boolean }[] {
    const due: { id: number; isFirst: boolean }[] = [];
    for (const [id, wait] of this.#waits) {
      if (wait.askAt > now) continue;
      due.push({ id, isFirst: wait.milliseconds === firstWaitMilliseconds });
      wait.milliseconds *= 2;
      wait.askAt = now + wait.milliseconds;
    }
    return due;
  }

  /** The analyses of a check were read. They are requested again while one is missing. */
  answered(id: number, record: AwaitingRecord | undefined, now: number): void {
    if (record === undefined || !awaitsAnalysis(record)) this.#waits.delete(id);
    else if (!this.#waits.has(id)) this.expect(id, now);
  }

  delete(id: number): void {
    this.#waits.delete(id);
  }
}

/**
 * Returns whether a counted outage has no counted analysis. Only outages of the day before the last
 * reading count, because each reading goes back a day. So the analyses are requested once more
 * after any downtime of the exporter.
 */
export function awaitsAnalysis(record: AwaitingRecord): boolean {
  const { states } = record.totals;
  // An outage that was open at first sight also awaits its analysis, for one day.
  const isYoung = states.horizonSeconds < states.startSeconds + analysesRereadSeconds;
  return (
    awaitsCounted(record.totals) ||
    (isYoung && unexplainedSince(record, 'analysisId') !== undefined)
  );
}

function awaitsCounted({ states, log, analyses }: CheckTotals): boolean {
  const { atSeconds: readUntil, recent: known } = analyses.watermark;
  const slack = 2 * (states.resolutionSeconds ?? 0);
  const since = Math.min(readUntil, states.horizonSeconds) - analysesRereadSeconds;
  return spansOf(log?.changes ?? StateChanges.none, states.horizonSeconds).some(
    ({ state, fromSeconds, toSeconds }) =>
      state === 'down' &&
      fromSeconds > Math.max(states.startSeconds, since) &&
      !known.some(
        ({ atSeconds }) => atSeconds >= fromSeconds - slack && atSeconds < toSeconds + slack,
      ),
  );
}
